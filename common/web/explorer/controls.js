// Buttons, keys, the slider, and the choice of warp and lane.
'use strict';

ladder.controls = (() => {
  const {make, say} = ladder.dom;
  const SPEEDS = {slow: 700, normal: 220, fast: 50};  // milliseconds per step
  const BUTTONS = [['phase', -1, '« Stage', 'Previous stage', '['], ['line', -1, '‹ Line', 'Previous line', 'Up'],
    ['step', -1, '← Back', 'Back', 'Left'], ['play', 0, 'Play', 'Play', 'Space'],
    ['step', 1, 'Step →', 'Step', 'Right'], ['line', 1, 'Line ›', 'Next line', 'Down'],
    ['phase', 1, 'Stage »', 'Next stage', ']']];
  const KEYS = {ArrowLeft: ['step', -1], ArrowRight: ['step', 1], ArrowUp: ['line', -1], ArrowDown: ['line', 1],
    '[': ['phase', -1], ']': ['phase', 1], PageUp: ['phase', -1], PageDown: ['phase', 1], ' ': ['play', 0],
    Home: ['end', -1], End: ['end', 1], w: ['warp', 1], W: ['warp', -1], l: ['lane', 1], L: ['lane', -1],
    c: ['compare', 0]};
  const HELP = 'Keys: ← and → step, ↑ and ↓ go to the previous and next line, [ and ] to the previous and next stage. '
    + 'Space plays. w and l choose the next warp and lane. c compares. Click a line of the source to go to its next '
    + 'event.';
  const OWN_KEYS = new Set(['INPUT', 'SELECT', 'TEXTAREA']);

  function choice(label, count, change) {
    const select = make('select', {'aria-label': label, onchange: () => change(Number(select.value))},
      ...Array.from({length: count}, (_, n) => make('option', {value: n, text: n})));
    return select;
  }

  return class Controls {
    static KEYS = HELP;

    // other: the lesson to compare with, "" if there is none. act(name, direction): called for a button or a key;
    // seek(place), warp(n), lane(n): called when one is chosen by number.
    constructor({warps, other, act, seek, warp, lane}) {
      this.act = act;
      this.timer = null;
      this.speed = 'normal';
      this.scrub = make('input', {type: 'range', min: 1, max: 1, value: 1, class: 'explorer-scrub',
        'aria-label': 'Event of the warp', oninput: () => seek(Number(this.scrub.value) - 1)});
      this.where = make('output', {class: 'explorer-where'});
      this.warp = choice('Warp', warps, warp);
      this.lane = choice('Lane', 32, lane);
      this.play = null;
      this.element = make('div', {class: 'explorer-controls'}, this.buttons(),
        make('div', {class: 'explorer-choices'}, make('label', {}, 'Warp ', this.warp),
          make('label', {}, 'Lane ', this.lane), make('label', {}, 'Speed ', this.speeds()),
          other ? this.comparison(other) : ''),
        make('div', {class: 'explorer-seek'}, this.scrub, this.where));
    }

    buttons() {
      return make('div', {class: 'explorer-buttons', role: 'group', 'aria-label': 'Steps'},
        ...BUTTONS.map(([name, direction, words, title, key]) => {
          const button = make('button', {type: 'button', text: words, title: `${title} (key: ${key})`,
            onclick: () => this.does(name, direction)});
          if (name === 'play') this.play = button;
          return button;
        }));
    }

    speeds() {
      const select = make('select', {'aria-label': 'Speed', onchange: () => {
        this.speed = select.value;
        if (this.timer !== null) this.run();
      }}, ...Object.keys(SPEEDS).map((name) => make('option', {value: name, text: name, selected: name === 'normal'})));
      return select;
    }

    comparison(other) {
      this.compare = make('button', {type: 'button', text: `Compare with ${other}`, title: 'Key: c',
        'aria-pressed': 'false', onclick: () => this.act('compare', 0)});
      return this.compare;
    }

    does(name, direction) {
      if (name !== 'play') {
        this.stop();
        this.act(name, direction);
      } else if (this.timer === null) {
        this.run();
      } else {
        this.stop();
      }
    }

    run() {
      clearInterval(this.timer);
      this.timer = setInterval(() => {
        if (!this.act('step', 1)) this.stop();
      }, SPEEDS[this.speed]);
      this.play.textContent = 'Pause';
      this.play.setAttribute('aria-pressed', 'true');
    }

    stop() {
      clearInterval(this.timer);
      this.timer = null;
      this.play.textContent = 'Play';
      this.play.setAttribute('aria-pressed', 'false');
    }

    // Handles a key pressed in the explorer. Fields and buttons keep the keys that they need themselves.
    key(event) {
      const known = KEYS[event.key];
      const own = OWN_KEYS.has(event.target.tagName) || (event.target.tagName === 'BUTTON' && event.key === ' ');
      if (!known || own || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.does(...known);
    }

    show({warp, lane, place, count, comparing}) {
      this.warp.value = warp;
      this.lane.value = lane;
      this.scrub.max = count;
      this.scrub.value = place + 1;
      say(this.where, `event ${place + 1} of ${count}`);
      if (this.compare) this.compare.setAttribute('aria-pressed', `${comparing}`);
    }
  };
})();

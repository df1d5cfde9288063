// Buttons, keys, the scrubber, and which warp and lane are followed.
'use strict';
window.ladder = window.ladder || {};

ladder.controls = (() => {
  const {make, say} = ladder.dom;
  const SPEEDS = {slow: 700, normal: 220, fast: 50};  // milliseconds for a step
  const BUTTONS = [['phase', -1, 'Phase back', '['], ['line', -1, 'Line back', 'Up'], ['step', -1, 'Back', 'Left'],
    ['play', 0, 'Play', 'Space'],
    ['step', 1, 'Step', 'Right'], ['line', 1, 'Line', 'Down'], ['phase', 1, 'Phase', ']']];
  const KEYS = {ArrowLeft: ['step', -1], ArrowRight: ['step', 1], ArrowUp: ['line', -1], ArrowDown: ['line', 1],
    '[': ['phase', -1], ']': ['phase', 1], PageUp: ['phase', -1], PageDown: ['phase', 1], ' ': ['play', 0],
    Home: ['end', -1], End: ['end', 1], w: ['warp', 1], W: ['warp', -1], l: ['lane', 1], L: ['lane', -1],
    c: ['compare', 0]};
  const HELP = 'Keys: left and right step, up and down go to another line, [ and ] to another phase; Space plays; '
    + 'w and l choose the next warp and lane; c compares. A click on a line of the source goes to its next event.';
  const OWN_KEYS = new Set(['INPUT', 'SELECT', 'TEXTAREA']);

  function choice(label, count, change) {
    const select = make('select', {'aria-label': label, onchange: () => change(Number(select.value))},
      ...Array.from({length: count}, (_, n) => make('option', {value: n, text: n})));
    return select;
  }

  return class Controls {
    static KEYS = HELP;

    // act(name, direction): a button or a key; seek(place), warp(n), lane(n): chosen by number.
    constructor({warps, comparable, act, seek, warp, lane}) {
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
          comparable ? this.comparison() : ''),
        make('div', {class: 'explorer-seek'}, this.scrub, this.where));
    }

    buttons() {
      return make('div', {class: 'explorer-buttons', role: 'group', 'aria-label': 'Steps'},
        ...BUTTONS.map(([name, direction, words, key]) => {
          const button = make('button', {type: 'button', text: words, title: `Key: ${key}`,
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

    comparison() {
      this.compare = make('button', {type: 'button', text: 'Compare with the lesson below', title: 'Key: c',
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

    // A key pressed in the explorer. What a field needs for itself stays its own.
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

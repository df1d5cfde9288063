// The explorer: mounts the views of a trace in an element and keeps them at one event.
//
// ladder.explorer.mount(element, {trace, source, name, below, hash}) returns {go, state, destroy}.
//   trace   of a lesson, as an object or as JSON; source: the text of its gemm.cu; name: as 02_coalesced
//   below   the same three of the lesson below, or null; hash: whether the address names the state
//   go({warp, event, lane})   event: from 1, of the warp; a number stands for {event}
//   state()   {warp, event, lane, line, kind, comparing, other}; other: of the lesson below, while comparing
'use strict';
window.ladder = window.ladder || {};

ladder.explorer = (() => {
  const {make, say, onTheme} = ladder.dom;
  const {siteOf, patternOf, lanesOf, multiplyAdds, sharedName} = ladder.trace;
  const {places, sharedAt, STAGES} = ladder.steps;

  // A run with its views, at one event.
  class Pane {
    // pick(i), pickLane(lane): the reader has chosen an event or a lane in a view.
    constructor({trace, source, name}, pick, pickLane) {
      const {Source, Matrices, Banks, Registers, Timeline} = ladder.views;
      this.name = String(name);
      this.run = ladder.trace.read(trace);
      this.run.name = this.name;
      this.story = ladder.steps.read(this.run);
      this.i = this.run.own.find((events) => events.length > 0)[0];
      this.lane = 0;
      this.timeline = new Timeline(this.run, this.story, (time, warp) =>
        pick(this.timeline.nearest(warp === null ? this.run.warp[this.i] : warp, time)));
      this.source = new Source(this.run, String(source), (line) => pick(this.nextOf(line)));
      this.now = make('p', {class: 'explorer-now', 'aria-live': 'polite'});
      this.inner = [new Matrices(this.run, this.story), new Banks(this.run, pickLane),
        new Registers(this.run, this.story)];
      this.views = [this.source, ...this.inner, this.timeline];
    }

    // The next event of this warp at a line, behind the current one or else from the beginning.
    nextOf(line) {
      const events = this.run.own[this.run.warp[this.i]], from = this.run.place[this.i] + 1;
      for (let n = 0; n < events.length; ++n) {
        const i = events[(from + n) % events.length];
        if (siteOf(this.run, i).line === line) return i;
      }
      return [...this.run.site.keys()].find((i) => siteOf(this.run, i).line === line);
    }

    draw() {
      for (const view of this.views) if (view.draw) view.draw();
      this.show();
    }

    show() {
      const {run, story, i, lane} = this;
      const state = {i, warp: run.warp[i], lane, shared: sharedAt(run, story, i)};
      for (const view of this.views) view.show(state);
      say(this.now, this.sentence());
    }

    sentence() {
      const {run, story, i} = this, site = siteOf(run, i), pattern = patternOf(run, i);
      const lanes = lanesOf(run, i).length, all = lanes === 32 || pattern === null;
      const who = all ? 'all lanes' : `${lanes} of 32 lanes`, amount = multiplyAdds(run, i).toLocaleString('en-US');
      const barrier = site.kind === 'test' || site.kind === 'arrive' ? sharedName(run, site.array, run.number[i]) : '';
      const shared = site.space === 'shared' || run.boxes.has(i);
      const array = shared ? sharedName(run, site.array, run.at[i], true) : site.array;
      const words = {load: `${who} read ${array}`, store: `${who} write ${array}`,
        copy: `${who} begin copies of ${site.source || 'zeros'} to ${array}`, atomic: `${who} update ${array}`,
        fragment: `a fragment is read from ${array}`, barrier: 'a barrier: the warp waits for all others',
        phase: 'waits until the phase is over, or may be',
        test: `asks whether a phase of ${barrier} is over`, arrive: `arrives at ${barrier}`,
        bulk: `one lane asks the copy engine for a box of ${site.source}, to ${array}`,
        bulk_store: `one lane asks the copy engine to take ${array} to ${site.source}`,
        commit: 'the copies so far become a group',
        wait: `waits until at most ${run.number[i]} groups of copies are on their way`,
        multiply: `${amount} multiply-adds`, tensor: `${amount} multiply-adds on tensor cores`};
      const tile = story.stage[i] === ladder.steps.STORE ? '' : `, tile ${story.tile[i]}`;
      return `Warp ${run.warp[i]}, line ${site.line}: ${words[site.kind] || site.kind}. `
        + `Now it ${STAGES[story.stage[i]]}${tile}.`;
    }
  }

  // Where a step leads: to an event of the same warp, or the same one at the ends.
  function step({run, story, i}, name, direction) {
    const events = run.own[run.warp[i]], place = run.place[i];
    if (name === 'end') return events[direction < 0 ? 0 : events.length - 1];
    const same = {step: () => false, line: (j) => siteOf(run, j).line === siteOf(run, i).line,
      phase: (j) => story.stage[j] === story.stage[i] && story.tile[j] === story.tile[i]}[name];
    let next = place + direction;
    while (next > 0 && next < events.length - 1 && same(events[next])) next += direction;
    return events[Math.min(events.length - 1, Math.max(0, next))];
  }

  class Explorer {
    constructor(element, options) {
      this.root = element;
      this.options = options;
      this.pane = new Pane(options, (i) => this.at(i), (lane) => this.toLane(lane));
      this.below = null;
      this.pair = null;
      this.comparing = false;
      const {run} = this.pane;
      this.controls = new ladder.controls({warps: run.warps, comparable: Boolean(options.below),
        act: (name, direction) => this.act(name, direction),
        seek: (place) => this.at(run.own[run.warp[this.pane.i]][place]),
        warp: (warp) => this.toWarp(warp), lane: (lane) => this.toLane(lane)});
      this.body = make('div', {class: 'explorer-body'});
      this.frame = make('div', {class: 'explorer', tabindex: 0, role: 'group', 'aria-label': `Run of ${this.pane.name}`,
        onkeydown: (event) => this.controls.key(event)}, this.controls.element, this.notice(), this.body);
      element.replaceChildren(this.frame);
      this.stops = [onTheme(() => this.draw()), this.watchSize(), this.watchHash()];
      this.build();
      this.readHash();
    }

    notice() {
      const {leftOut} = this.pane.run, words = `The trace was cut: ${leftOut} later events are not in it.`;
      return leftOut ? make('p', {class: 'explorer-notice', text: words}) : '';
    }

    watchSize() {
      let width = this.frame.clientWidth;
      const observer = new ResizeObserver(() => {
        if (this.frame.clientWidth !== width) this.draw();
        width = this.frame.clientWidth;
      });
      observer.observe(this.frame);
      return () => observer.disconnect();
    }

    watchHash() {
      if (this.options.hash === false) return () => {};
      const changed = () => this.readHash();
      window.addEventListener('hashchange', changed);
      return () => window.removeEventListener('hashchange', changed);
    }

    // The views beside each other, or two columns of them.
    build() {
      const column = (pane) => make('div', {class: 'explorer-column'}, make('h2', {text: pane.name}), pane.now,
        pane.timeline.element, pane.source.element, ...pane.inner.map((view) => view.element));
      if (this.comparing) {
        this.body.replaceChildren(make('div', {class: 'explorer-pair'}, column(this.below), column(this.pane)),
          this.table.element);
      } else {
        this.body.replaceChildren(this.pane.now, make('div', {class: 'explorer-views'}, this.pane.source.element,
          make('div', {class: 'explorer-column'}, ...this.pane.inner.map((view) => view.element))),
        this.pane.timeline.element);
      }
      this.body.append(make('p', {class: 'explorer-legend', text: ladder.controls.KEYS}));
      this.draw();
    }

    draw() {
      this.pane.draw();
      if (this.comparing) this.below.draw();
      this.show();
    }

    show() {
      const {run, i, lane} = this.pane, warp = run.warp[i];
      this.controls.show({warp, lane, place: run.place[i], count: run.own[warp].length, comparing: this.comparing});
      if (this.comparing) this.table.show(i, this.below.i);
    }

    // To an event of the run; the lesson below follows.
    at(i) {
      this.pane.i = i;
      this.pane.show();
      if (this.comparing) this.follow();
      this.show();
      this.writeHash();
    }

    follow() {
      this.below.i = this.pair.match(this.pane.i);
      this.below.lane = this.pane.lane;
      this.below.show();
    }

    // Whether there was anywhere to go.
    act(name, direction) {
      const {run, i, lane} = this.pane;
      if (name === 'compare') return this.compare(!this.comparing);
      if (name === 'warp') return this.toWarp((run.warp[i] + direction + run.warps) % run.warps);
      if (name === 'lane') return this.toLane((lane + direction + 32) % 32);
      const next = step(this.pane, name, direction);
      this.at(next);
      return next !== i;
    }

    // Another warp where it is at the same time.
    toWarp(warp) {
      const {run, i} = this.pane, events = run.own[warp];
      if (events.length === 0) return false;
      this.at(events[Math.min(events.length - 1, Math.max(0, places(run, i)[warp] - 1))]);
      return true;
    }

    toLane(lane) {
      this.pane.lane = lane;
      this.at(this.pane.i);
      return true;
    }

    compare(on) {
      if (!this.options.below || on === this.comparing) return false;
      if (on && this.below === null) {
        try {
          this.below = new Pane(this.options.below, (i) => this.at(this.back.match(i)),
            (lane) => this.toLane(lane));
        } catch (error) {
          this.body.prepend(make('p', {class: 'explorer-error', role: 'alert', text: error.message}));
          return false;
        }
        this.pair = new ladder.compare.Pair(this.pane.run, this.pane.story, this.below.run, this.below.story);
        this.back = new ladder.compare.Pair(this.below.run, this.below.story, this.pane.run, this.pane.story);
        this.table = new ladder.compare.Table(this.pair);
      }
      this.comparing = on;
      if (on) Object.assign(this.below, {i: this.pair.match(this.pane.i), lane: this.pane.lane});
      this.build();
      this.writeHash();
      return true;
    }

    number() {
      const found = /^\d+/.exec(this.pane.name);
      return found ? found[0] : encodeURIComponent(this.pane.name);
    }

    // The address follows, a few times a second: browsers allow no more.
    writeHash() {
      if (this.options.hash === false || this.waiting) return;
      this.waiting = setTimeout(() => {
        this.waiting = null;
        const {warp, event, lane} = this.state();
        const words = `#${this.number()}/warp=${warp}/event=${event}${lane ? `/lane=${lane}` : ''}${
          this.comparing ? '/compare' : ''}`;
        if (location.hash !== words) history.replaceState(null, '', words);
      }, 300);
    }

    readHash() {
      const words = location.hash.slice(1).split('/');
      if (this.options.hash === false || words[0] !== this.number()) return;
      const wanted = {};
      for (const word of words.slice(1)) {
        const [name, value] = word.split('=');
        if (/^\d{1,9}$/.test(value || '')) wanted[name] = Number(value);
      }
      this.go(wanted);
      this.compare(words.includes('compare'));
    }

    // Numbers beyond the ends stand for the ends.
    go(wanted) {
      const {run, i} = this.pane;
      const {warp = run.warp[i], event, lane} = typeof wanted === 'number' ? {event: wanted} : wanted;
      const within = (value, most) => Math.min(most, Math.max(0, value));
      let chosen = within(Math.floor(warp), run.warps - 1);
      if (run.own[chosen].length === 0) chosen = run.own.findIndex((events) => events.length > 0);
      if (lane !== undefined) this.pane.lane = within(Math.floor(lane), 31);
      const events = run.own[chosen];
      const place = event === undefined ? run.place[i] : Math.floor(event) - 1;
      this.at(events[within(place, events.length - 1)]);
    }

    state() {
      const {run, i, lane} = this.pane;
      const of = ({run: its, story, i: at}) => ({warp: its.warp[at], event: its.place[at] + 1,
        line: siteOf(its, at).line, kind: siteOf(its, at).kind, stage: story.stage[at], k: story.k[at]});
      return {...of(this.pane), lane, count: run.own[run.warp[i]].length, comparing: this.comparing,
        other: this.comparing ? of(this.below) : null};
    }

    destroy() {
      this.controls.stop();
      clearTimeout(this.waiting);
      for (const stop of this.stops) stop();
      this.root.replaceChildren();
    }
  }

  // A trace that cannot be read becomes one line in the element.
  function mount(element, options) {
    try {
      const explorer = new Explorer(element, options);
      return {go: (event) => explorer.go(event), state: () => explorer.state(), destroy: () => explorer.destroy()};
    } catch (error) {
      const own = error.constructor === Error ? error.message : `the trace is damaged (${error.message})`;
      const words = `The run of ${String(options.name).slice(0, 60)} cannot be shown: ${own}.`;
      element.replaceChildren(make('p', {class: 'explorer-error', role: 'alert', text: words}));
      return {go: () => {}, state: () => null, destroy: () => element.replaceChildren()};
    }
  }

  return {mount};
})();

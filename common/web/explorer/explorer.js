// The explorer: shows the views of a trace in an element, all at the same event.
//
// ladder.explorer.mount(element, {trace, source, name, below, hash, online}) returns {go, goToLine, state, destroy}.
//   trace    of a lesson, as an object or as JSON; source: the text of its gemm.cu; name: as 02_coalesced
//   below    the same three of the lesson to compare with, or null
//   hash     false: the state is not kept in the page's address
//   online   called with the number of the current line, for a page that shows the source itself; then the explorer does
//            not show it
//   go({warp, event, lane})   event: from 1, of the warp; a number stands for {event}
//   goToLine(line)            goes to the next event of a line, if there is one
//   state()   {warp, event, lane, line, kind, comparing, other}; other: of the other lesson while comparing
'use strict';

ladder.explorer = (() => {
  const {make, say, onTheme} = ladder.dom;
  const {siteOf, patternOf, lanesOf, multiplyAdds, sharedName} = ladder.trace;
  const {places, sharedAt, STAGES} = ladder.steps;

  const BARRIER = {arrive: 'arrives at', test: 'tests'};

  // A run with its views, at one event.
  class Pane {
    // pick(i), pickLane(lane): called when the reader chooses an event or a lane in a view.
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
      this.matrices = new Matrices(this.run, this.story);
      this.banks = new Banks(this.run, pickLane);
      this.registers = new Registers(this.run, this.story);
      this.views = [this.source, this.matrices, this.banks, this.registers, this.timeline];
    }

    // The warp's next event at a line, after the current one or from the start; else an event of another warp, if any.
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
      const shared = site.space === 'shared' || run.boxes.has(i);
      const array = shared ? sharedName(run, site.array, run.at[i], true) : site.array;
      const words = {load: `${who} read ${array}`, store: `${who} write ${array}`,
        copy: `${who} start copies from ${site.source || 'zeros'} to ${array}`, atomic: `${who} update ${array}`,
        fragment: `the warp reads a fragment of ${array}`, barrier: '__syncthreads(): the warp waits for all others',
        phase: 'the warp waits for the phase to end',
        bulk: `one lane starts a TMA load of a box of ${site.source} to ${array}`,
        bulk_store: `one lane starts a TMA store of ${array} to ${site.source}`,
        commit: 'commit: the copies since the last commit become a group',
        wait: `the warp waits until at most ${run.number[i]} groups of copies are in flight`,
        multiply: `${amount} multiply-adds`, tensor: `${amount} multiply-adds on tensor cores`};
      const tile = story.stage[i] === ladder.steps.STORE ? '' : ` tile ${story.tile[i]}`;
      return `Warp ${run.warp[i]}, line ${site.line}: ${words[site.kind] || this.atBarrier() || site.kind}. `
        + `Stage: ${STAGES[story.stage[i]]}${tile && ','}${tile}.`;
    }

    // The sentence of an arrival or a test at an mbarrier, with the number of the phase.
    atBarrier() {
      const {run, i} = this, {kind, array} = siteOf(run, i), phase = run.phase[i];
      if (!BARRIER[kind]) return '';
      const name = sharedName(run, array, run.number[i]);
      if (phase === null) return `the warp ${BARRIER[kind]} the mbarrier ${name}`;
      if (kind === 'arrive') return `the warp arrives at the mbarrier ${name}, phase ${phase}`;
      return phase < 0 ? `the warp tests the mbarrier ${name}, which needs no wait before its first phase`
        : `the warp tests whether phase ${phase} of the mbarrier ${name} has ended`;
    }
  }

  // The event to which a step leads: of the same warp; at the ends the same event.
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
      this.controls = new ladder.controls({warps: run.warps, other: options.below ? String(options.below.name) : '',
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
      const {leftOut} = this.pane.run, words = `The trace is cut: ${leftOut} later events are missing.`;
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

    // Arranges the views of one run, or of two runs side by side.
    build() {
      const {now, source, matrices, banks, registers, timeline} = this.pane;
      if (this.comparing) {
        this.body.replaceChildren(this.difference, this.pairs(), this.table.element);
      } else {
        const column = (...views) => make('div', {class: 'explorer-column'}, ...views);
        const {online} = this.options;
        const left = [online ? banks.element : source.element, registers.element];
        const right = [...(online ? [] : [banks.element]), matrices.request, matrices.element];
        this.body.replaceChildren(now, make('div', {class: 'explorer-views'}, column(...left), column(...right)),
          timeline.element);
      }
      this.body.append(make('p', {class: 'explorer-legend', text: ladder.controls.KEYS}));
      this.draw();
    }

    // Two columns, row by row: requests and banks first, because the runs differ there.
    pairs() {
      const rows = [(pane) => make('h2', {text: pane.name}), (pane) => pane.now, (pane) => pane.matrices.request,
        (pane) => pane.banks.element, (pane) => pane.registers.element, (pane) => pane.source.element,
        (pane) => pane.timeline.element, (pane) => pane.matrices.element];
      const cell = (row, pane) => make('div', {class: 'explorer-cell', 'data-run': pane.name}, row(pane));
      return make('div', {class: 'explorer-pair'},
        ...rows.flatMap((row) => [this.below, this.pane].map((pane) => cell(row, pane))));
    }

    draw() {
      this.pane.draw();
      if (this.comparing) this.below.draw();
      this.show();
    }

    show() {
      const {run, i, lane} = this.pane, warp = run.warp[i];
      this.controls.show({warp, lane, place: run.place[i], count: run.own[warp].length, comparing: this.comparing});
      if (this.options.online && !this.comparing) this.options.online(siteOf(run, i).line);
      if (!this.comparing) return;
      this.table.show(i, this.below.i);
      const found = this.pair.differences(i).map(([name, before, after]) =>
        `${before} ${name} in ${this.below.name}, ${after} in ${this.pane.name}`);
      say(this.difference, found.length > 0 ? `Difference: ${found.join('; ')}.` : 'No difference at this event.');
    }

    // Goes to an event of the run; the other run follows.
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

    // Returns whether anything changed.
    act(name, direction) {
      const {run, i, lane} = this.pane;
      if (name === 'compare') return this.compare(!this.comparing, true);
      if (name === 'warp') return this.toWarp((run.warp[i] + direction + run.warps) % run.warps);
      if (name === 'lane') return this.toLane((lane + direction + 32) % 32);
      const next = step(this.pane, name, direction);
      this.at(next);
      return next !== i;
    }

    // Goes to another warp, at the same time.
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

    // search: goes on to the first event that differs.
    compare(on, search) {
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
        this.difference = make('p', {class: 'explorer-difference', 'aria-live': 'polite'});
      }
      this.comparing = on;
      const {run, i} = this.pane, first = on && search ? this.pair.firstDifference(run.warp[i], run.place[i]) : -1;
      if (first >= 0) this.pane.i = first;
      if (on) Object.assign(this.below, {i: this.pair.match(this.pane.i), lane: this.pane.lane});
      this.build();
      this.writeHash();
      return true;
    }

    number() {
      const found = /^\d+/.exec(this.pane.name);
      return found ? found[0] : encodeURIComponent(this.pane.name);
    }

    // Writes the state into the address, at most a few times a second: browsers allow no more.
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
      this.compare(words.includes('compare'), wanted.event === undefined);
    }

    // Numbers beyond the ends mean the ends.
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

    goToLine(line) {
      const i = this.pane.nextOf(line);
      if (i !== undefined) this.at(i);
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

  // If a trace cannot be read, the element gets one line that says why.
  function mount(element, options) {
    try {
      const explorer = new Explorer(element, options);
      return {go: (event) => explorer.go(event), goToLine: (line) => explorer.goToLine(line),
        state: () => explorer.state(), destroy: () => explorer.destroy()};
    } catch (error) {
      const own = error.constructor === Error ? error.message : `the trace is damaged (${error.message})`;
      const words = `The run of ${String(options.name).slice(0, 60)} cannot be shown: ${own}.`;
      element.replaceChildren(make('p', {class: 'explorer-error', role: 'alert', text: words}));
      return {go: () => {}, goToLine: () => {}, state: () => null, destroy: () => element.replaceChildren()};
    }
  }

  return {mount};
})();

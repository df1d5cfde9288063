// The registers of one lane: its latest elements of A and of B, and the elements of C that it will store.
'use strict';

ladder.views.Registers = (() => {
  const {make, say} = ladder.dom;
  const {siteOf, patternOf, position} = ladder.trace;
  const BACK = 600;  // earlier events of the warp that are searched for fragments
  const MOST = 64;  // elements that are listed

  // Elements that a lane has in registers after an event, each {matrix, row, col}.
  function loadedBy(run, shared, i, lane) {
    const site = siteOf(run, i), pattern = patternOf(run, i);
    if (pattern === null || site.kind === 'store' || site.kind === 'copy' || site.kind === 'atomic') return [];
    if (site.kind === 'fragment') return fragment(run, shared, i, lane);
    if (pattern.at[lane] === null) return [];
    const at = run.at[i] + pattern.at[lane];
    const size = site.space === 'global' ? (run.matrices[site.array] || {element: 4}).element : run.matrices.A.element;
    const found = [];
    for (let byte = 0; byte < site.size; byte += size) {
      if (site.space === 'global' && 'AB'.includes(site.array)) found.push(position(run, site.array, at + byte));
      if (site.space === 'shared') {
        const element = shared.element(run, site.array, at + byte);
        if (element) found.push(element);
      }
    }
    return found;
  }

  // ldmatrix: eight lanes at a time give the addresses of the rows of an 8 x 8 matrix. mma fixes the distribution: of A a
  // lane gets two neighbours along k in row lane / 4, of B two along k in column lane / 4.
  function fragment(run, shared, i, lane) {
    const site = siteOf(run, i), pattern = patternOf(run, i), found = [];
    const element = (source, byte) => (pattern.at[source] === null ? null
      : shared.element(run, site.array, run.at[i] + pattern.at[source] + byte));
    for (let matrix = 0; matrix < 4; ++matrix) {
      const first = element(8 * matrix, 0), next = element(8 * matrix, 2);
      if (!first || !next) continue;
      const alongRows = first.matrix === 'A' ? next.col > first.col : next.row > first.row;
      for (let j = 0; j < 2; ++j) {
        const far = 2 * (lane % 4) + j;
        const [source, column] = alongRows ? [lane >> 2, far] : [far, lane >> 2];
        const each = element(8 * matrix + source, 2 * column);
        if (each) found.push(each);
      }
    }
    return found;
  }

  const along = (element) => (element.matrix === 'A' ? element.col : element.row);

  // The elements of A and of B that a lane read last before an event: those of the latest k; for fragments, of the
  // latest 16.
  function held(run, story, shared, state) {
    const events = run.own[state.warp], kept = {A: new Map(), B: new Map()}, latest = {A: -1, B: -1};
    const end = run.place[state.i];
    for (let place = end; place >= Math.max(0, end - BACK); --place) {
      const i = events[place], kind = siteOf(run, i).kind;
      if (kind === 'barrier' && (latest.A >= 0 || latest.B >= 0)) break;
      if (story.stage[i] !== ladder.steps.COMPUTE) continue;
      const depth = kind === 'fragment' ? 16 : 1;
      for (const element of loadedBy(run, shared, i, state.lane)) {
        const {matrix} = element, k = Math.floor(along(element) / depth);
        if (latest[matrix] < 0) latest[matrix] = k;
        if (latest[matrix] === k) kept[matrix].set(`${element.row} ${element.col}`, element);
      }
    }
    const sort = (map) => [...map.values()].sort((a, b) => a.row - b.row || a.col - b.col).slice(0, MOST);
    return {A: sort(kept.A), B: sort(kept.B)};
  }

  // The elements of C that a warp stores, by lane.
  function sums(run, warp) {
    const lanes = Array.from({length: 32}, () => new Map());
    for (const i of run.own[warp]) {
      const site = siteOf(run, i);
      if (site.array !== 'C' || site.kind === 'load') continue;
      const pattern = patternOf(run, i), {element} = run.matrices.C;
      for (let lane = 0; lane < 32; ++lane) {
        for (let byte = 0; pattern.at[lane] !== null && byte < site.size; byte += element) {
          const place = position(run, 'C', run.at[i] + pattern.at[lane] + byte);
          lanes[lane].set(`${place.row} ${place.col}`, place);
        }
      }
    }
    return lanes.map((map) => [...map.values()].sort((a, b) => a.row - b.row || a.col - b.col));
  }

  return class Registers {
    static held = held;
    static sums = sums;

    constructor(run, story) {
      this.run = run;
      this.story = story;
      this.title = make('h3', {text: 'Registers'});
      this.a = make('div', {class: 'explorer-chips'});
      this.b = make('div', {class: 'explorer-chips'});
      this.c = make('div', {class: 'explorer-sums'});
      this.words = make('p', {class: 'explorer-words'});
      this.element = make('section', {class: 'explorer-view'}, this.title,
        make('div', {class: 'explorer-held'}, make('span', {class: 'explorer-label', text: 'of A'}), this.a,
          make('span', {class: 'explorer-label', text: 'of B'}), this.b), this.words, this.c);
      this.key = '';
      this.sums = new Map();  // by warp
    }

    show(state) {
      const {run, story} = this, holds = held(run, story, state.shared, state);
      say(this.title, `Registers of lane ${state.lane}`);
      this.fill(this.a, holds.A, 'p0');
      this.fill(this.b, holds.B, 'p1');
      if (!this.sums.has(state.warp)) this.sums.set(state.warp, sums(run, state.warp));
      const own = this.sums.get(state.warp)[state.lane];
      const key = `${state.warp} ${state.lane}`;
      if (key !== this.key) this.drawSums(own);
      this.key = key;
      const done = Math.min(run.K, story.k[state.i]);
      say(this.words, own.length === 0 ? 'The trace has no store to C by this lane.'
        : `The lane accumulates ${own.length} element${own.length === 1 ? '' : 's'} of C. k = ${done} of ${run.K}.`);
    }

    fill(row, elements, colour) {
      while (row.children.length > elements.length) row.lastChild.remove();
      while (row.children.length < elements.length) {
        row.append(make('span', {class: `explorer-chip explorer-${colour}`}));
      }
      elements.forEach((each, n) => say(row.children[n], `${each.matrix}[${each.row}][${each.col}]`));
      row.classList.toggle('explorer-none', elements.length === 0);
      row.dataset.none = this.run.boxes.size > 0 ? 'none: wgmma reads shared memory' : 'none yet';
    }

    // Draws a table if the elements are all intersections of some rows and columns.
    drawSums(own) {
      const rows = [...new Set(own.map((each) => each.row))], cols = [...new Set(own.map((each) => each.col))];
      this.c.replaceChildren();
      if (own.length === 0) return;
      if (rows.length * cols.length !== own.length || cols.length > 16) {
        this.c.append(...own.slice(0, MOST).map((each) =>
          make('span', {class: 'explorer-chip explorer-p2', text: `C[${each.row}][${each.col}]`})));
        const more = own.length - MOST;
        if (more > 0) this.c.append(make('span', {class: 'explorer-chip', text: `and ${more} more`}));
        return;
      }
      const head = make('tr', {}, make('th', {text: 'C', scope: 'col'}),
        ...cols.sort((a, b) => a - b).map((col) => make('th', {text: col, scope: 'col'})));
      const body = rows.map((row) => make('tr', {}, make('th', {text: row, scope: 'row'}),
        ...cols.map((col) => make('td', {class: 'explorer-p2', title: `C[${row}][${col}]`}))));
      this.c.append(make('table', {'aria-label': 'Rows and columns of C that this lane stores'}, head, ...body));
    }
  };
})();

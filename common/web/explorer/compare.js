// Two runs stepped together: the event of one that does the same part of the work, and what both count.
'use strict';
window.ladder = window.ladder || {};

ladder.compare = (() => {
  const {make, say} = ladder.dom;
  const {COUNTS, countsAt, countsOfAll} = ladder.steps;

  // Where an event stands along K: copies by their tile, for each warp copies another part of it.
  const kOf = (story, i) => (story.stage[i] === ladder.steps.COPY ? story.tile[i] * story.depth : story.k[i]);

  // Of a warp: its events by stage and k, in order.
  function groupsOf(run, story, warp) {
    const groups = [], known = new Map();
    for (const i of run.own[warp]) {
      const stage = story.stage[i], k = kOf(story, i), key = `${stage} ${k}`;
      if (!known.has(key)) {
        known.set(key, {stage, k, events: []});
        groups.push(known.get(key));
      }
      known.get(key).events.push(i);
    }
    return groups;
  }

  function nearest(groups, stage, k) {
    let best = null;
    for (const group of groups) {
      if (group.stage !== stage) continue;
      const before = best === null ? Infinity : Math.abs(best.k - k);
      if (Math.abs(group.k - k) < before) best = group;
    }
    return best;
  }

  // Pairs two runs. match(i) is the event of `other` that stands where event i of `run` stands: in the same stage, at
  // the same k (the same tile, where the two have different K), as far through what a warp does there.
  class Pair {
    constructor(run, story, other, otherStory) {
      Object.assign(this, {run, story, other, otherStory});
      this.mine = new Map();
      this.its = new Map();
    }

    groups(cache, run, story, warp) {
      if (!cache.has(warp)) cache.set(warp, groupsOf(run, story, warp));
      return cache.get(warp);
    }

    match(i) {
      const {run, story, other, otherStory} = this, warp = run.warp[i], stage = story.stage[i], own = kOf(story, i);
      const mine = this.groups(this.mine, run, story, warp).find((each) => each.stage === stage && each.k === own);
      const tile = Math.floor(own / story.depth), inside = own - tile * story.depth;
      const k = run.K === other.K ? own : tile * otherStory.depth + inside * otherStory.depth / story.depth;
      const order = [Math.min(warp, other.warps - 1), ...other.own.keys()];
      for (const wanted of [stage, ladder.steps.COMPUTE]) {
        for (const candidate of order) {
          const group = nearest(this.groups(this.its, other, otherStory, candidate), wanted, k);
          if (group === null) continue;
          return this.alike(i, mine.events, group.events);
        }
      }
      return other.own.find((events) => events.length > 0)[0];
    }

    // Of some events the one that is as far among those that do the same to the same matrix; else among all.
    alike(i, mine, its) {
      const {story, otherStory} = this;
      const same = its.filter((j) => otherStory.what[j] === story.what[i]);
      const from = same.length > 0 ? mine.filter((j) => story.what[j] === story.what[i]) : mine;
      const to = same.length > 0 ? same : its;
      return to[Math.floor(from.indexOf(i) / from.length * to.length)];
    }
  }

  const shown = (value) => value.toLocaleString('en-US', {maximumFractionDigits: value !== 0 && value < 10 ? 2 : 0});

  // How much more or less, in words.
  function change(before, after) {
    if (before === after) return 'the same';
    if (before === 0) return 'new';
    if (after === 0) return 'none';
    const ratio = after / before;
    return ratio > 1 ? `${shown(ratio)} × as many` : `1/${shown(1 / ratio)}`;
  }

  // The counts of both blocks, up to where they stand and in all.
  class Table {
    constructor(pair) {
      this.pair = pair;
      const all = [countsOfAll(pair.other, pair.otherStory), countsOfAll(pair.run, pair.story)];
      const per = all.map((counts) => counts[counts.length - 1] / 1000 || 1);
      const head = ['', pair.other.name, pair.run.name, pair.other.name, pair.run.name, 'change'];
      this.cells = COUNTS.map(() => [make('td', {class: 'number'}), make('td', {class: 'number'})]);
      const rows = COUNTS.map((name, c) => make('tr', {},
        make('th', {scope: 'row', text: name.trim()}), ...this.cells[c],
        ...[0, 1].map((n) => make('td', {class: 'number', text: shown(all[n][c] / per[n])})),
        make('td', {text: change(all[0][c] / per[0], all[1][c] / per[1])})));
      const titles = head.map((name, n) => make(n === 0 ? 'td' : 'th', n === 0 ? {} : {scope: 'col', text: name}));
      this.element = make('section', {class: 'explorer-view explorer-wide'},
        make('h3', {text: 'What the two blocks count'}),
        make('div', {class: 'explorer-scroll', tabindex: 0, role: 'region', 'aria-label': 'Counts of both blocks'},
          make('table', {class: 'explorer-table'},
            make('tr', {}, make('td', {}), make('th', {colspan: 2, scope: 'colgroup', text: 'so far'}),
              make('th', {colspan: 3, scope: 'colgroup', text: 'in all, for 1000 multiply-adds'})),
            make('tr', {}, ...titles),
            ...rows)),
        make('p', {class: 'explorer-legend', text: 'Accesses as the source has them: nvcc joins neighbouring ones of a '
          + 'thread where it can, which ./ladder explain counts too.'}));
    }

    // i: of the lesson; j: of the one below.
    show(i, j) {
      const {pair} = this;
      const before = countsAt(pair.other, pair.otherStory, j), after = countsAt(pair.run, pair.story, i);
      this.cells.forEach(([its, mine], c) => {
        say(its, shown(before[c]));
        say(mine, shown(after[c]));
      });
    }
  }

  return {Pair, Table, change};
})();

// Two runs stepped together: pairs of events that do the same part of the work, and the counts of both runs.
'use strict';

ladder.compare = (() => {
  const {make, say} = ladder.dom;
  const {siteOf, patternOf} = ladder.trace;
  const {COUNTS, countsAt, countsOfAll} = ladder.steps;
  const FAR = 400;  // events that are searched for a difference

  // The position of an event along K. A copy has that of its tile, because each warp copies another part of the tile.
  const kOf = (story, i) => (story.stage[i] === ladder.steps.COPY ? story.tile[i] * story.depth : story.k[i]);

  // The events of a warp in groups of one stage and one k, in order.
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

  // Pairs two runs. match(i) is the event of `other` that corresponds to event i of `run`: in the same stage, at the
  // same k (in the same tile if the two have different K), and as far through the warp's events there.
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

    // The event as far through `its` as i is through `mine`. Counts only events that do the same to the same matrix, if
    // there are any.
    alike(i, mine, its) {
      const {story, otherStory} = this;
      const same = its.filter((j) => otherStory.what[j] === story.what[i]);
      const from = same.length > 0 ? mine.filter((j) => story.what[j] === story.what[i]) : mine;
      const to = same.length > 0 ? same : its;
      return to[Math.floor(from.indexOf(i) / from.length * to.length)];
    }

    // The differences between event i and its match: [[name, of the match, of event i], ...], as ['sectors', 32, 4].
    differences(i) {
      const {run, other} = this, j = this.match(i);
      const [mine, its] = [siteOf(run, i), siteOf(other, j)], [p, q] = [patternOf(run, i), patternOf(other, j)];
      const found = [];
      const add = (name, before, after) => {
        if (before !== undefined && after !== undefined && before !== after) found.push([name, before, after]);
      };
      if (mine.kind !== its.kind) return [['event', its.kind.replace('_', ' '), mine.kind.replace('_', ' ')]];
      add('bytes per lane', its.size, mine.size);
      if (p && q) for (const name of ['sectors', 'wavefronts']) add(name, q[name], p[name]);
      return found;
    }

    // The first event of a warp from a place on that differs from its match, or -1. Searches from the start after the end.
    firstDifference(warp, place) {
      const events = this.run.own[warp];
      for (let n = 0; n < Math.min(events.length, FAR); ++n) {
        const i = events[(place + n) % events.length];
        if (this.differences(i).length > 0) return i;
      }
      return -1;
    }
  }

  const shown = (value) => value.toLocaleString('en-US', {maximumFractionDigits: value !== 0 && value < 10 ? 2 : 0});

  // The ratio of two counts in words.
  function change(before, after) {
    if (before === after) return 'equal';
    if (before === 0) return 'new';
    if (after === 0) return 'none';
    const ratio = after / before;
    return ratio > 1 ? `${shown(ratio)} ×` : `1/${shown(1 / ratio)}`;
  }

  // The counts of both blocks, up to their current events and in total.
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
        make('h3', {text: 'Counts of the two blocks'}),
        make('div', {class: 'explorer-scroll', tabindex: 0, role: 'region', 'aria-label': 'Counts of both blocks'},
          make('table', {class: 'explorer-table'},
            make('tr', {}, make('td', {}), make('th', {colspan: 2, scope: 'colgroup', text: 'so far'}),
              make('th', {colspan: 3, scope: 'colgroup', text: 'total, per 1000 multiply-adds'})),
            make('tr', {}, ...titles),
            ...rows)),
        make('p', {class: 'explorer-legend', text: 'These are the accesses in the source. nvcc fuses neighbouring '
          + 'accesses of a thread where it can; ./ladder explain also counts the fused ones.'}));
    }

    // i: the event of the lesson; j: of the lesson that it is compared with.
    show(i, j) {
      const {pair} = this;
      const before = countsAt(pair.other, pair.otherStory, j), after = countsAt(pair.run, pair.story, i);
      this.cells.forEach(([its, mine], c) => {
        say(its, shown(before[c]));
        say(mine, shown(after[c]));
      });
    }
  }

  return {Pair, Table};
})();

// The state of a run at each event: its position along K, the contents of shared memory, the counts so far. It draws
// nothing.
'use strict';

ladder.steps = (() => {
  const {siteOf, patternOf, isStop, position, multiplyAdds, boxOf} = ladder.trace;
  const MOST = 1 << 20;  // bytes; more than a block's shared memory
  const COPY = 0, COMPUTE = 1, STORE = 2;  // stages of a tile
  const STAGES = ['copy to shared memory', 'multiply', 'store to C'];

  // Encodes a word of A or B as one number, and decodes it. 0: unknown.
  const code = (matrix, offset) => 1 + 2 * Math.floor(offset / 4) + (matrix === 'B' ? 1 : 0);
  const decode = (value) => ({matrix: (value - 1) % 2 === 0 ? 'A' : 'B', offset: Math.floor((value - 1) / 2) * 4});

  // The contents of shared memory, by array and word: codes of words of A and B.
  class Shared {
    constructor(run) {
      const ends = {};
      for (let i = 0; i < run.count; ++i) {
        const site = siteOf(run, i);
        if (site.space !== 'shared') continue;
        const most = Math.max(...run.patterns[run.number[i]].at.filter((each) => each !== null));
        ends[site.array] = Math.max(ends[site.array] || 0, run.at[i] + most + site.size);
      }
      this.words = {};
      for (const [name, end] of Object.entries(ends)) {
        if (!(end <= MOST)) throw new Error(`the trace has an offset of ${end} in shared memory`);
        this.words[name] = new Int32Array(Math.ceil(end / 4));
      }
    }

    copy() {
      const other = Object.create(Shared.prototype);
      other.words = {};
      for (const [name, words] of Object.entries(this.words)) other.words[name] = words.slice();
      return other;
    }

    // Applies the writes of an event. A word without a source becomes unknown.
    apply(run, i) {
      const site = siteOf(run, i);
      if (site.space !== 'shared' || (site.kind !== 'store' && site.kind !== 'copy')) return;
      const pattern = patternOf(run, i), words = this.words[site.array];
      for (let lane = 0; lane < 32; ++lane) {
        if (pattern.at[lane] === null) continue;
        const to = Math.floor((run.at[i] + pattern.at[lane]) / 4);
        const from = (pattern.from && pattern.from[lane]) || [];
        for (let word = 0; word < Math.max(1, site.size / 4); ++word) {
          const known = from[word] !== undefined && from[word] !== null;
          words[to + word] = known && 'AB'.includes(site.source) ? code(site.source, run.from[i] + from[word]) : 0;
        }
      }
    }

    // The element there, as {matrix, row, col}, or null.
    element(run, array, offset) {
      const value = this.words[array] ? this.words[array][Math.floor(offset / 4)] : 0;
      if (!value) return null;
      const word = decode(value);
      return position(run, word.matrix, word.offset + offset % 4);
    }
  }

  const along = (element) => (element.matrix === 'A' ? element.col : element.row);

  // The least k that the lanes of an event access, and its matrix. k is -1 if they access no element of A or B.
  function touches(run, shared, i) {
    const site = siteOf(run, i);
    const pattern = patternOf(run, i), box = boxOf(run, i);
    if (box !== null && box.matrix !== 'C') return {k: along(box), matrix: box.matrix};
    if (pattern === null) return {k: -1, matrix: ''};
    let least = Infinity, matrix = '';
    // All lanes that read shared memory read the same k, except for the rows of fragments.
    const lanes = site.kind === 'load' && site.space === 'shared' ? pattern.lanes.slice(0, 1) : pattern.lanes;
    for (const lane of lanes) {
      const from = pattern.from && pattern.from[lane] ? pattern.from[lane][0] : null;
      let element = null;
      if (site.space === 'global') {
        element = 'AB'.includes(site.array) ? position(run, site.array, run.at[i] + pattern.at[lane]) : null;
      } else if (site.kind === 'store' || site.kind === 'copy') {
        element = typeof from === 'number' && 'AB'.includes(site.source)
          ? position(run, site.source, run.from[i] + from) : null;
      } else {
        element = shared.element(run, site.array, run.at[i] + pattern.at[lane]);
      }
      if (element !== null) {
        least = Math.min(least, along(element));
        matrix = element.matrix;
      }
    }
    return {k: least === Infinity ? -1 : least, matrix};
  }

  // Multiply-adds that form products: only those on tensor cores if a run has any. The others then scale C.
  const formedBy = (run, i, tensor) => (tensor && siteOf(run, i).kind !== 'tensor' ? 0 : multiplyAdds(run, i));

  // The stage of an event; -1: that of the event before. over: the warp has formed all its products.
  function stageOf(run, i, direct, over) {
    const site = siteOf(run, i);
    if (site.array === 'C' || site.kind === 'bulk_store') return STORE;
    if (site.kind === 'bulk') return COPY;
    if (multiplyAdds(run, i) > 0) return over ? STORE : COMPUTE;
    if (site.space === undefined) return -1;
    if (over && site.source === undefined) return STORE;
    if (site.kind === 'load' || site.kind === 'fragment') return site.space === 'shared' || direct ? COMPUTE : COPY;
    return site.space === 'shared' ? COPY : STORE;
  }

  // Finds the stage and k of each event, and the contents of shared memory at the start of each round.
  function follow(run, story) {
    const shared = new Shared(run);
    const direct = Object.keys(shared.words).length === 0;
    const last = Array.from({length: run.warps}, () => ({stage: COPY, k: 0, read: -1, fma: 0}));
    const total = new Float64Array(run.warps);
    story.direct = direct;
    story.depth = depthOf(run, shared);
    const tensor = run.sites.some(({kind}) => kind === 'tensor');
    for (let i = 0; i < run.count; ++i) total[run.warp[i]] += formedBy(run, i, tensor);
    for (let i = 0; i < run.count; ++i) {
      while (story.before.length <= run.round[i]) story.before.push(shared.copy());
      const warp = last[run.warp[i]], all = total[run.warp[i]], {k, matrix} = touches(run, shared, i);
      const stage = stageOf(run, i, direct, warp.fma === all);
      if (stage === COMPUTE) {
        const formed = Math.floor(run.K * warp.fma / (all || 1));
        // A loop that reads ahead reads old elements once more after the last tile; they do not count.
        if (k >= 0 && k + story.depth >= formed) warp.read = k;
        warp.k = warp.read >= 0 ? warp.read : Math.min(formed, Math.max(0, run.K - 1));
        warp.fma += formedBy(run, i, tensor);
      } else if (stage === COPY && k >= 0) {
        warp.k = k;
      } else if (stage === STORE) {
        warp.k = run.K;
      }
      if (stage >= 0) warp.stage = stage;
      story.what[i] = siteOf(run, i).kind + matrix;
      story.stage[i] = warp.stage;
      story.k[i] = warp.k;
      shared.apply(run, i);
    }
  }

  // The depth of a tile along K: the difference in k between two groups of copies. A group ends at a stop of the warp or
  // at a commit.
  function depthOf(run, shared) {
    const starts = new Map(), groups = new Int32Array(run.warps);
    for (let i = 0; i < run.count; ++i) {
      const site = siteOf(run, i);
      if (site.kind === 'commit' || isStop(run, i)) groups[run.warp[i]] += 1;
      if (site.source !== 'A' || (site.space !== 'shared' && site.kind !== 'bulk')) continue;
      const key = groups[run.warp[i]], {k} = touches(run, shared, i);
      starts.set(key, Math.min(k, starts.has(key) ? starts.get(key) : Infinity));
    }
    const sorted = [...new Set(starts.values())].sort((a, b) => a - b);
    const steps = sorted.slice(1).map((each, i) => each - sorted[i]).filter((each) => each > 0);
    return steps.length > 0 ? Math.min(...steps) : Math.max(1, Math.min(32, run.K));
  }

  // The names of the counts, in the order of their columns.
  const COUNTS = ['requests to global memory', 'sectors', 'reads of shared memory', 'wavefronts of reads',
    'writes to shared memory', 'wavefronts of writes', 'barriers', 'multiply-adds'];

  function countsOf(run, i, counts, at) {
    const site = siteOf(run, i), pattern = patternOf(run, i);
    if (site.kind === 'barrier') {
      counts[at + 6] += 1;
    } else if (run.boxes.has(i)) {
      counts[at] += 1;
      counts[at + 1] += run.number[i];
    } else if (pattern === null) {
      counts[at + 7] += multiplyAdds(run, i);
    } else {
      const copies = site.kind === 'copy' && pattern.sectors !== undefined;
      if (site.space === 'global' || copies) {
        counts[at] += 1;
        counts[at + 1] += pattern.sectors || 0;
      }
      if (site.space === 'shared') {
        const column = site.kind === 'store' || site.kind === 'copy' ? 4 : 2;
        counts[at + column] += 1;
        counts[at + column + 1] += pattern.wavefronts || 0;
      }
    }
  }

  // For each warp the sums before each of its events, one row of COUNTS each, and one row after the last event.
  function sumUp(run) {
    return run.own.map((events) => {
      const sums = new Float64Array((events.length + 1) * COUNTS.length);
      events.forEach((i, place) => {
        const row = place * COUNTS.length;
        for (let c = 0; c < COUNTS.length; ++c) sums[row + COUNTS.length + c] = sums[row + c];
        countsOf(run, i, sums, row + COUNTS.length);
      });
      return sums;
    });
  }

  // Everything that the views need: the stage, k and tile of each event, its kind and matrix (what); the depth of a tile;
  // shared memory at the start of each round (before); sums of counts. It takes some milliseconds per ten thousand events.
  function read(run) {
    const story = {stage: new Int8Array(run.count), k: new Int32Array(run.count), what: [], before: [], depth: 1,
      sums: sumUp(run), direct: false};
    follow(run, story);
    story.tile = story.k.map((k) => Math.floor(k / story.depth));
    return story;
  }

  // The positions of all warps while one is at an event: each has finished the same fraction of its round.
  function places(run, i) {
    const warp = run.warp[i], round = run.round[i], first = run.first[warp];
    const part = (run.place[i] + 1 - first[round]) / (first[round + 1] - first[round]);
    return run.own.map((events, other) => (other === warp ? run.place[i] + 1
      : run.first[other][round]
        + Math.floor(part * (run.first[other][round + 1] - run.first[other][round]) + 1e-9)));
  }

  // The counts of all warps up to and including an event, in the order of COUNTS. Barriers are those of one warp.
  function countsAt(run, story, i) {
    return add(run, story, places(run, i));
  }

  function countsOfAll(run, story) {
    return add(run, story, run.own.map((events) => events.length));
  }

  function add(run, story, ends) {
    const sums = new Array(COUNTS.length).fill(0);
    ends.forEach((end, warp) => {
      for (let c = 0; c < COUNTS.length; ++c) {
        const value = story.sums[warp][end * COUNTS.length + c];
        sums[c] = c === 6 ? Math.max(sums[c], value) : sums[c] + value;
      }
    });
    return sums;
  }

  // The contents of shared memory before an event.
  function sharedAt(run, story, i) {
    const shared = story.before[run.round[i]].copy();
    const ends = places(run, i);
    run.own.forEach((events, warp) => {
      const end = warp === run.warp[i] ? run.place[i] : ends[warp];
      for (let place = run.first[warp][run.round[i]]; place < end; ++place) shared.apply(run, events[place]);
    });
    return shared;
  }

  return {COPY, COMPUTE, STORE, STAGES, COUNTS, read, places, countsAt, countsOfAll, sharedAt, isStop};
})();

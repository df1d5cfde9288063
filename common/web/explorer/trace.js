// Reads and checks a trace (common/simt/docs/trace.md) and puts it into arrays for fast access.
'use strict';

ladder.trace = (() => {
  const VERSION = 2;
  const ALL = Array.from({length: 32}, (_, lane) => lane);
  const STOPS = new Set(['barrier', 'phase']);

  function need(right, words) {
    if (!right) throw new Error(words);
  }

  function toObject(data) {
    if (typeof data !== 'string') return data;
    try {
      return JSON.parse(data);
    } catch (error) {
      throw new Error('this is not a complete trace: it is not JSON');
    }
  }

  function checkHead(data) {
    need(data !== null && typeof data === 'object' && data.format === 'gemm-ladder trace',
      'this is not a trace of gemm-ladder');
    need(data.version === VERSION,
      `the trace has version ${String(data.version).slice(0, 20)}, but this page reads version ${VERSION}`);
    for (const key of ['sites', 'patterns', 'events', 'grid']) {
      need(Array.isArray(data[key]), `the trace is incomplete: it has no ${key}`);
    }
    for (const key of ['M', 'N', 'K', 'threads']) {
      need(Number.isInteger(data[key]) && data[key] >= 0, `the trace is incomplete: it has no ${key}`);
    }
    need(data.threads >= 1 && data.threads <= 1024, 'the trace has a block with no threads or with more than 1024');
    for (const name of ['A', 'B', 'C']) {
      const matrix = data.matrices && data.matrices[name];
      need(matrix && matrix.ld >= 0 && matrix.element > 0, `the trace is incomplete: it has no matrix ${name}`);
    }
  }

  function checkPatterns(data) {
    data.patterns.forEach((pattern, i) => {
      const right = pattern && ['at', 'from', 'wavefront_of'].every((key) =>
        pattern[key] === undefined ? key !== 'at' : Array.isArray(pattern[key]) && pattern[key].length === 32);
      need(right, `pattern ${i} of the trace does not have 32 lanes`);
    });
    data.sites.forEach((site, i) => {
      need(site && typeof site.kind === 'string' && Number.isInteger(site.line), `site ${i} of the trace has no line`);
      need(site.space === undefined || (site.size >= 1 && site.size <= 16), `site ${i} of the trace has no size`);
    });
  }

  // A pattern with a list of its active lanes, and with a list of words for each active lane.
  function lists(pattern) {
    const each = (value) => (value === null || Array.isArray(value) ? value : [value]);
    const all = (list) => list && list.map(each);
    const lanes = ALL.filter((lane) => pattern.at[lane] !== null);
    return {...pattern, lanes, from: all(pattern.from), wavefront_of: all(pattern.wavefront_of)};
  }

  // Puts the events into arrays. A round is everything between two stops of the warps, in the order of the run.
  function readEvents(run, data) {
    const count = data.events.length;
    run.count = count;
    run.warp = new Uint8Array(count);
    run.site = new Uint32Array(count);
    run.number = new Int32Array(count);
    run.at = new Float64Array(count);
    run.from = new Float64Array(count).fill(-1);
    run.round = new Int32Array(count);
    run.boxes = new Map();  // of TMA
    let round = 0;
    data.events.forEach((event, i) => {
      const site = Array.isArray(event) ? data.sites[event[1]] : undefined;
      need(site !== undefined && event[0] >= 0 && event[0] < run.warps, `event ${i} of the trace is invalid`);
      need(site.space === undefined || data.patterns[event[2]] !== undefined,
        `event ${i} of the trace has an unknown pattern`);
      if (i > 0) {
        const before = run.warp[i - 1], stopped = STOPS.has(data.sites[run.site[i - 1]].kind);
        round += event[0] < before || (event[0] === before && stopped) ? 1 : 0;
      }
      run.warp[i] = event[0];
      run.site[i] = event[1];
      run.number[i] = event[2];
      run.at[i] = event.length > 3 ? event[3] : 0;
      if (event.length > 4) run.from[i] = event[4];
      if (event.length > 6) run.boxes.set(i, {rows: event[5], bytes: event[6]});
      run.round[i] = round;
    });
    run.rounds = count === 0 ? 0 : round + 1;
  }

  // Lists the events of each warp, and the place of each event in its list.
  function deal(run) {
    const own = Array.from({length: run.warps}, () => []);
    run.place = new Int32Array(run.count);
    for (let i = 0; i < run.count; ++i) {
      run.place[i] = own[run.warp[i]].length;
      own[run.warp[i]].push(i);
    }
    run.own = own;
    run.first = own.map((events) => {  // place of the first event of each round or a later one
      const first = new Int32Array(run.rounds + 1).fill(events.length);
      for (let place = events.length - 1; place >= 0; --place) first[run.round[events[place]]] = place;
      for (let round = run.rounds - 1; round >= 0; --round) first[round] = Math.min(first[round], first[round + 1]);
      return first;
    });
  }

  // The phase of its mbarrier for each arrival and each test, null if unknown. Tests in a row are one wait. phases,
  // arrivals: by "warp array offset", as for_page() in common/ladder/lib/traces.py writes them.
  function readPhases(run, phases, arrivals) {
    run.phase = new Array(run.count).fill(null);
    run.own.forEach((events, warp) => {
      const counts = {};
      events.forEach((i, place) => {
        const {kind, array} = siteOf(run, i), before = events[place - 2];
        if (kind !== 'arrive' && kind !== 'test') return;
        if (kind === 'test' && before !== undefined && siteOf(run, before).kind === 'test'
          && run.number[before] === run.number[i]) {
          run.phase[i] = run.phase[before];
          return;
        }
        const barrier = `${warp} ${array} ${run.number[i]}`, key = `${kind} ${barrier}`;
        const list = (kind === 'test' ? phases : arrivals)[barrier];
        counts[key] = (counts[key] || 0) + 1;
        const phase = Array.isArray(list) ? list[counts[key] - 1] : null;
        run.phase[i] = Number.isInteger(phase) ? phase : null;
      });
    });
  }

  // Reads a trace, given as text or as an object. Throws an Error with one line that says what is wrong.
  function read(data) {
    const object = toObject(data);
    checkHead(object);
    checkPatterns(object);
    const run = {
      name: String(object.lesson || ''), kernel: String(object.kernel || ''), M: object.M, N: object.N, K: object.K,
      threads: object.threads, warps: Math.ceil(object.threads / 32), grid: object.grid, matrices: object.matrices,
      arrays: object.arrays || {}, totals: object.totals || {}, leftOut: object.left_out || 0,
      sites: object.sites, patterns: object.patterns.map(lists), others: object.others || [],
    };
    readEvents(run, object);
    deal(run);
    readPhases(run, object.phases || {}, object.arrivals || {});
    need(run.own.some((events) => events.length > 0), 'the trace has no events');
    return run;
  }

  const siteOf = (run, i) => run.sites[run.site[i]];
  const patternOf = (run, i) => (siteOf(run, i).space === undefined ? null : run.patterns[run.number[i]]);
  const isStop = (run, i) => STOPS.has(siteOf(run, i).kind);

  // The active lanes, lowest first; all lanes if the event has no addresses.
  function lanesOf(run, i) {
    const pattern = patternOf(run, i);
    return pattern === null ? ALL : pattern.lanes;
  }

  // Row and column of the element at a byte offset of A, B or C.
  function position(run, matrix, offset) {
    const {ld, element} = run.matrices[matrix];
    const index = Math.floor(offset / element);
    return {matrix, row: Math.floor(index / ld), col: index % ld};
  }

  // Multiply-adds of all lanes together.
  function multiplyAdds(run, i) {
    const {kind} = siteOf(run, i);
    return kind === 'multiply' || kind === 'tensor' ? run.number[i] : 0;
  }

  // The rows and columns of a TMA box: {matrix, row, col, rows, cols}; null for other events.
  function boxOf(run, i) {
    const box = run.boxes.get(i), {source} = siteOf(run, i);
    if (!box || !run.matrices[source]) return null;
    return {...position(run, source, run.from[i]), rows: box.rows, cols: box.bytes / run.matrices[source].element};
  }

  // The name of the element at an offset of a shared array, as As[3][7]; array and offset if the shape is not known.
  // whole: the name of its tile instead, as As, or As[1] of As[3][16][68].
  function sharedName(run, array, offset, whole = false) {
    const shape = run.arrays[array];
    if (!shape) return whole ? array : `${array} + ${offset}`;
    let prefix = '', inside = offset;
    if (shape.period) {
      prefix = `${shape.outer}[${Math.floor(offset / shape.period)}].`;
      inside = offset % shape.period;
    }
    for (const field of shape.fields) {
      const bytes = field.dims.reduce((product, dim) => product * dim, field.element) || Infinity;
      if (inside < field.offset || inside >= field.offset + bytes) continue;
      let index = Math.floor((inside - field.offset) / field.element);
      const indices = [];
      for (const dim of field.dims.slice(1).reverse()) {
        indices.unshift(index % dim);
        index = Math.floor(index / dim);
      }
      indices.unshift(index);
      const shown = whole ? indices.slice(0, indices.length > 2 ? 1 : 0) : indices;
      return prefix + field.name + shown.map((each) => `[${each}]`).join('');
    }
    return `${array} + ${offset}`;
  }

  return {read, siteOf, patternOf, isStop, lanesOf, position, multiplyAdds, boxOf, sharedName};
})();

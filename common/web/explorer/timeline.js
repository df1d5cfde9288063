// All warps from left to right: their stages, their barriers, and the tiles in each shared buffer.
'use strict';

ladder.views.Timeline = (() => {
  const {make, colours, Canvas} = ladder.dom;
  const {siteOf, isStop, sharedName} = ladder.trace;
  const {COPY, COMPUTE} = ladder.steps;
  const LEFT = 74, TOP = 22, GAP = 8;
  const WEIGHTS = {tensor: 3, barrier: 0.8, phase: 0.8, commit: 0.3, wait: 0.5};
  const weightOf = (run, i) => (siteOf(run, i).kind === 'multiply' ? 0.2 + run.number[i] / 512
    : WEIGHTS[siteOf(run, i).kind] || 1);

  // The start and end of each event, from 0 to 1. Rounds follow each other. Within a round all warps run in parallel.
  class Clock {
    constructor(run) {
      const inside = new Float64Array(run.count), sums = new Float64Array(run.warps * run.rounds);
      for (let i = 0; i < run.count; ++i) {
        inside[i] = sums[run.warp[i] * run.rounds + run.round[i]];
        sums[run.warp[i] * run.rounds + run.round[i]] += weightOf(run, i);
      }
      this.rounds = [0];
      for (let round = 0; round < run.rounds; ++round) {
        let most = 0;
        for (let warp = 0; warp < run.warps; ++warp) most = Math.max(most, sums[warp * run.rounds + round]);
        this.rounds.push(this.rounds[round] + most);
      }
      const all = this.rounds[run.rounds] || 1;
      this.begin = new Float64Array(run.count);
      this.end = new Float64Array(run.count);
      for (let i = 0; i < run.count; ++i) {
        // The slowest warp fills its round. A faster one waits at the end of the round.
        this.begin[i] = (this.rounds[run.round[i]] + inside[i]) / all;
        this.end[i] = this.begin[i] + weightOf(run, i) / all;
      }
      this.rounds = this.rounds.map((each) => each / all);
    }
  }

  // The stretches of a warp in one stage, as {stage, begin, end, tile}.
  function stretches(run, story, clock, warp) {
    const found = [];
    for (const i of run.own[warp]) {
      const stage = isStop(run, i) ? -1 : story.stage[i], last = found[found.length - 1];
      const tile = stage === COPY || stage === COMPUTE ? story.tile[i] : -1;
      if (last && last.stage === stage && last.tile === tile && last.round === run.round[i]) {
        last.end = clock.end[i];
      } else {
        found.push({stage, tile, round: run.round[i], begin: clock.begin[i], end: clock.end[i]});
      }
    }
    return found;
  }

  // The stays of tiles in shared memory: {buffer, matrix, tile, begin, filled, read, end, copied}, in the clock's times.
  function stays(run, story, clock) {
    const open = new Map(), found = [];
    const read = (stay, i) => {
      stay.read = stay.read < 0 ? clock.begin[i] : Math.min(stay.read, clock.begin[i]);
      stay.end = Math.max(stay.end, clock.end[i]);
    };
    for (let i = 0; i < run.count; ++i) {
      const site = siteOf(run, i);
      if (site.kind === 'tensor' && run.boxes.size > 0) {  // wgmma reads its tiles from shared memory
        for (const stay of open.values()) if (stay.tile === story.tile[i]) read(stay, i);
      }
      if (site.space !== 'shared' && site.kind !== 'bulk') continue;
      const at = run.at[i], known = site.kind !== 'bulk' || run.arrays[site.array];
      const buffer = known ? sharedName(run, site.array, at, true) : `${site.array} + ${at}`;
      let stay = open.get(buffer);
      if (site.kind === 'store' || site.kind === 'copy' || site.kind === 'bulk') {
        if (site.source !== 'A' && site.source !== 'B') continue;
        if (!stay || stay.tile !== story.tile[i]) {
          stay = {buffer, matrix: site.source, tile: story.tile[i], begin: clock.begin[i], filled: 0, read: -1, end: 0,
            copied: site.kind !== 'store'};
          open.set(buffer, stay);
          found.push(stay);
        }
        stay.begin = Math.min(stay.begin, clock.begin[i]);
        stay.filled = Math.max(stay.filled, clock.end[i]);
      } else if (stay && stay.tile === story.tile[i]) {
        read(stay, i);
      }
    }
    return found;
  }

  // The mbarriers by name, with the times of arrivals and with the waits, [begin, end, phase]. A wait ends at the warp's
  // next event that is not another test.
  function mbarriers(run, clock) {
    const barriers = new Map();
    const of = (i) => {
      const name = sharedName(run, siteOf(run, i).array, run.number[i]);
      if (!barriers.has(name)) barriers.set(name, {name, arrivals: [], waits: []});
      return barriers.get(name);
    };
    run.own.forEach((events) => {
      events.forEach((i, place) => {
        const {kind} = siteOf(run, i), before = events[place - 2];
          if (kind === 'arrive') of(i).arrivals.push([clock.begin[i], run.phase[i]]);
        if (kind !== 'test') return;
        const waits = of(i).waits, last = events[place + 1], next = events[place + 2];
        const end = next === undefined ? clock.end[last === undefined ? i : last] : clock.begin[next];
        const again = before !== undefined && siteOf(run, before).kind === 'test'
          && run.number[before] === run.number[i];
        if (again && waits.length > 0) {
          waits[waits.length - 1][1] = end;
          return;
        }
        waits.push([clock.begin[i], end, run.phase[i]]);
      });
    });
    return [...barriers.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  // The times of barriers: the ends of rounds that end in one.
  function meetings(run, clock) {
    const rounds = new Set();
    for (let i = 0; i < run.count; ++i) {
      if (siteOf(run, i).kind === 'barrier') rounds.add(run.round[i]);
    }
    return [...rounds].map((round) => clock.rounds[round + 1]);
  }

  return class Timeline {
    // pick(i): called when the reader chooses an event.
    constructor(run, story, pick) {
      this.run = run;
      this.story = story;
      this.clock = new Clock(run);
      this.stays = stays(run, story, this.clock);
      this.buffers = [...new Set(this.stays.map((stay) => stay.buffer))].sort().slice(0, 16);
      this.barriers = mbarriers(run, this.clock).slice(0, 16);
      this.warps = Array.from({length: run.warps}, (_, warp) => stretches(run, story, this.clock, warp));
      this.meetings = meetings(run, this.clock);
      this.bar = run.warps > 12 ? 7 : 14;
      this.canvas = new Canvas('Timeline of all warps');
      this.cursor = make('div', {class: 'explorer-cursor'});
      this.row = make('div', {class: 'explorer-row'});
      const room = make('div', {class: 'explorer-timeline'}, this.canvas.element, this.row, this.cursor);
      room.addEventListener('click', (event) => this.clicked(event, pick));
      this.element = make('section', {class: 'explorer-view explorer-wide'}, make('h3', {text: 'All warps'}),
        room, this.legend());
    }

    legend() {
      const item = (name, words) => make('span', {},
        make('i', {class: `explorer-swatch explorer-${name}`}), words);
      const split = this.barriers.length > 0
        ? [item('p3', 'waits for the numbered phase of an mbarrier'), item('tick', 'arrives in the numbered phase')] : [];
      return make('p', {class: 'explorer-legend'}, item('p1', 'copies tiles'), item('p0', 'multiplies'),
        item('p2', 'stores to C'), item('dash', 'barrier of all warps'), ...split,
        'Left to right is the order of the run, not time. t0, t1, …: tiles along K.');
    }

    x(time) {
      return LEFT + time * (this.canvas.width - LEFT - 2);
    }

    draw() {
      const more = this.buffers.length + this.barriers.length;
      const rows = this.run.warps * (this.bar + 1) + (more > 0 ? GAP : 0) + more * 19;
      const c = this.canvas.begin(TOP + rows + 4), palette = colours();
      this.drawTiles(c, palette);
      const fills = {[COPY]: palette.p1, [COMPUTE]: palette.p0, 2: palette.p2, '-1': palette.line};
      this.warps.forEach((found, warp) => {
        const top = TOP + warp * (this.bar + 1);
        c.fillStyle = palette.idle;
        c.fillRect(LEFT, top, this.canvas.width - LEFT - 2, this.bar);
        for (const {stage, begin, end} of found) {
          c.fillStyle = fills[stage];
          c.fillRect(this.x(begin), top, Math.max(0.6, this.x(end) - this.x(begin)), this.bar);
        }
        if (this.bar > 8 || warp % 4 === 0) this.label(c, palette, `warp ${warp}`, top + this.bar / 2);
      });
      const below = TOP + this.run.warps * (this.bar + 1) + GAP;
      this.drawBuffers(c, palette, below);
      this.barriers.forEach((barrier, n) =>
        this.drawBarrier(c, palette, barrier, below + (this.buffers.length + n) * 19));
      c.strokeStyle = palette.edge;
      c.setLineDash([4, 3]);
      c.beginPath();
      for (const time of this.meetings) {
        c.moveTo(this.x(time), TOP - 4);
        c.lineTo(this.x(time), TOP + rows);
      }
      c.stroke();
      c.setLineDash([]);
      this.canvas.tell(`Timeline of ${this.run.warps} warps with ${this.meetings.length} barriers`
        + (this.buffers.length > 0 ? ` and ${this.buffers.length} buffers in shared memory` : ''));
    }

    // The name of a buffer without the structure, if all buffers lie in the same one.
    short(name) {
      const before = new Set([...this.buffers, ...this.barriers.map((each) => each.name)]
        .map((each) => each.slice(0, each.lastIndexOf('.') + 1)));
      return (before.size === 1 ? name.slice(name.lastIndexOf('.') + 1) : name).replace(/^.* (?=[+])/, '').slice(-11);
    }

    label(c, palette, words, y) {
      c.fillStyle = palette.soft;
      c.textAlign = 'right';
      c.fillText(words, LEFT - 6, y);
      c.textAlign = 'center';
    }

    // The tiles that are multiplied, above the warps.
    drawTiles(c, palette) {
      const spans = new Map();
      for (const found of this.warps) {
        for (const {stage, tile, begin, end} of found) {
          if (stage !== COMPUTE) continue;
          const span = spans.get(tile) || [1, 0];
          spans.set(tile, [Math.min(span[0], begin), Math.max(span[1], end)]);
        }
      }
      c.fillStyle = palette.ink;
      for (const [tile, [begin, end]] of spans) {
        if (this.x(end) - this.x(begin) > 22) c.fillText(`t${tile}`, (this.x(begin) + this.x(end)) / 2, 10);
      }
    }

    drawBuffers(c, palette, top) {
      this.buffers.forEach((buffer, n) => {
        const y = top + n * 19;
        c.fillStyle = palette.idle;
        c.fillRect(LEFT, y, this.canvas.width - LEFT - 2, 17);
        this.label(c, palette, this.short(buffer), y + 9);
        for (const stay of this.stays.filter((each) => each.buffer === buffer)) {
          const tile = `t${stay.tile}`, arrives = stay.copied && stay.read >= 0 ? stay.read : stay.filled;
          const words = stay.copied ? `${tile} in flight` : tile;
          this.drawStay(c, palette, [stay.begin, arrives], y, palette.p1, words, tile);
          if (stay.read >= 0) this.drawStay(c, palette, [stay.read, stay.end], y, palette.p0, `read ${tile}`, tile);
        }
      });
    }

    drawBarrier(c, palette, {name, arrivals, waits}, y) {
      c.fillStyle = palette.idle;
      c.fillRect(LEFT, y, this.canvas.width - LEFT - 2, 17);
      this.label(c, palette, this.short(name), y + 9);
      c.fillStyle = palette.p3;
      for (const [begin, end] of waits) c.fillRect(this.x(begin), y + 4, Math.max(1, this.x(end) - this.x(begin)), 9);
      c.fillStyle = palette.ink;
      const numbers = new Map(waits.filter(([,, phase]) => phase >= 0).map((wait) => [wait[2], wait]));
      for (const [phase, [begin, end]] of numbers) {
        if (this.x(end) - this.x(begin) > 9) c.fillText(phase, this.x((begin + end) / 2), y + 9);
      }
      for (const [time] of arrivals) c.fillRect(this.x(time), y + 1, 1.5, 15);
      c.textAlign = 'left';
      for (const [phase, time] of new Map(arrivals.map(([time, phase]) => [phase, time]))) {
        if (phase !== null) c.fillText(phase, this.x(time) + 4, y + 9);
      }
      c.textAlign = 'center';
    }

    // Draws a bar with the first of the words that fits into it.
    drawStay(c, palette, [begin, end], y, fill, ...words) {
      const left = this.x(begin), width = Math.max(1, this.x(end) - left);
      c.fillStyle = fill;
      c.fillRect(left, y, width, 17);
      c.strokeStyle = palette.edge;
      c.strokeRect(left + 0.5, y + 0.5, Math.max(1, width - 1), 16);
      const fitting = words.find((each) => c.measureText(each).width < width - 6);
      c.fillStyle = palette.ink;
      if (fitting) c.fillText(fitting, left + width / 2, y + 9);
    }

    show(state) {
      const i = state.i, x = this.x(this.clock.begin[i]);
      this.cursor.style.transform = `translateX(${x}px)`;
      this.row.style.transform = `translateY(${TOP + state.warp * (this.bar + 1)}px)`;
      this.row.style.height = `${this.bar}px`;
    }

    clicked(event, pick) {
      const box = this.canvas.element.getBoundingClientRect();
      const time = (event.clientX - box.left - LEFT) / (this.canvas.width - LEFT - 2);
      const warp = Math.floor((event.clientY - box.top - TOP) / (this.bar + 1));
      pick(Math.min(1, Math.max(0, time)), warp >= 0 && warp < this.run.warps ? warp : null);
    }

    // The last event of a warp that begins before a time.
    nearest(warp, time) {
      const events = this.run.own[warp];
      let low = 0, high = events.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (this.clock.begin[events[middle]] <= time) low = middle;
        else high = middle - 1;
      }
      return events[low];
    }
  };
})();

// A, B and C as grids: B above C, A beside C. They show the block's tiles and the elements that the lanes of the current
// event access. A second view, the request, shows these elements one by one, with their sectors.
'use strict';

ladder.views.Matrices = (() => {
  const {make, say, colours, Canvas, laneColour, lanesInWords} = ladder.dom;
  const {siteOf, patternOf, lanesOf, position, boxOf} = ladder.trace;
  const SECTOR = 32, GAP = 14, CELL = 22, ROWS = 8, SCALED = 128;

  // The elements of A, B or C that the lanes of an event access: [{lane, matrix, row, col}]. For an access to shared
  // memory: the elements that lie there.
  function touched(run, shared, i) {
    const site = siteOf(run, i), pattern = patternOf(run, i), found = [];
    if (pattern === null) return found;
    const reads = site.space === 'shared' && site.kind !== 'store' && site.kind !== 'copy';
    const matrix = site.space === 'global' ? site.array : site.source;
    const element = (run.matrices[site.space === 'global' ? site.array : site.source || 'A'] || {element: 4}).element;
    for (const lane of lanesOf(run, i)) {
      for (let byte = 0; byte < site.size; byte += element) {
        let place = null;
        if (reads) {
          place = shared.element(run, site.array, run.at[i] + pattern.at[lane] + byte);
        } else if (run.matrices[matrix]) {
          const from = site.space === 'global' ? run.at[i] + pattern.at[lane] + byte
            : source(run, pattern, i, lane, byte);
          place = from === null ? null : position(run, matrix, from);
        }
        if (place !== null) found.push({lane, ...place});
      }
    }
    return found;
  }

  function source(run, pattern, i, lane, byte) {
    const words = pattern.from ? pattern.from[lane] : null;
    const word = words ? words[Math.floor(byte / 4)] : null;
    return word === null || word === undefined ? null : run.from[i] + word + byte % 4;
  }

  // The block's tile of C, {row, col, rows, cols}, from the elements that it stores; all of C if it stores none.
  function tileOf(run) {
    let [top, left, bottom, right] = [Infinity, Infinity, -1, -1];
    for (let i = 0; i < run.count; ++i) {
      const site = siteOf(run, i), box = boxOf(run, i);
      if (site.kind === 'load' || (site.array !== 'C' && !(box && box.matrix === 'C'))) continue;
      const ends = box ? [box, {row: box.row + box.rows - 1, col: box.col + box.cols - 1}] : touched(run, null, i);
      for (const {row, col} of ends) {
        top = Math.min(top, row);
        left = Math.min(left, col);
        bottom = Math.max(bottom, row);
        right = Math.max(right, col);
      }
    }
    return bottom < 0 ? {row: 0, col: 0, rows: run.M, cols: run.N}
      : {row: top, col: left, rows: bottom - top + 1, cols: right - left + 1};
  }

  // Where the drawing shows elements of a matrix, {matrix, row, col, rows, cols}. Lesson 17 has B as N x K in memory, and
  // scales, which belong to 128 elements: scales_A[k][row] to A, scales_B[col][k] to B.
  function drawnAt(run, {matrix, row, col, rows = 1, cols = 1}) {
    if (matrix === 'scales_A') {
      return {matrix: 'A', row: col, col: row * SCALED, rows: cols, cols: rows * SCALED};
    } else if (matrix === 'scales_B') {
      return {matrix: 'B', row: col * SCALED, col: row * SCALED, rows: cols * SCALED, cols: rows * SCALED};
    } else if (matrix === 'B' && run.matrices.scales_B) {
      return {matrix, row: col, col: row, rows: cols, cols: rows};
    }
    return {matrix, row, col, rows, cols};
  }

  return class Matrices {
    constructor(run, story) {
      this.run = run;
      this.story = story;
      this.tile = tileOf(run);
      this.sums = new Map();  // by warp: the elements of C of each lane
      this.overview = new Canvas('A, B and C');
      this.zoom = new Canvas('The request');
      this.words = make('p', {class: 'explorer-words'});
      this.element = make('section', {class: 'explorer-view'}, make('h3', {text: 'A, B and C'}),
        make('div', {}, this.overview.element));
      this.request = make('section', {class: 'explorer-view'}, make('h3', {text: 'The request, element by element'}),
        this.words, make('div', {}, this.zoom.element));
    }

    layout() {
      const {M, N, K} = this.run;
      const gap = GAP;
      const scale = Math.min((this.overview.element.parentElement.clientWidth - gap - 18) / (K + N), 250 / (K + M));
      const left = 16, x = left + K * scale + gap, y = K * scale + gap;
      return {scale, A: {x: left, y, rows: M, cols: K}, B: {x, y: 0, rows: K, cols: N}, C: {x, y, rows: M, cols: N},
        bias: {x, y: y - gap / 2},  // of an epilogue, one element per column: a line above C
        height: (K + M) * scale + gap + 2};
    }

    show(state) {
      const found = touched(this.run, state.shared, state.i);
      const plan = this.layout(), c = this.overview.begin(plan.height), palette = colours();
      this.drawBack(c, palette, plan, state);
      const own = this.ofLane(state, found), box = boxOf(this.run, state.i);
      const size = Math.max(own.length + found.length <= 8 ? 4 : 2, plan.scale);  // few elements are drawn larger
      if (box) {
        const drawn = drawnAt(this.run, box), {x, y, rows, cols} = plan[drawn.matrix];
        c.fillStyle = palette.ink;
        c.fillRect(x + drawn.col * plan.scale, y + drawn.row * plan.scale,
          Math.min(drawn.cols, cols - drawn.col) * plan.scale, Math.min(drawn.rows, rows - drawn.row) * plan.scale);
      }
      const dot = (element) => {
        const {matrix, row, col} = drawnAt(this.run, element);
        c.fillRect(plan[matrix].x + col * plan.scale, plan[matrix].y + row * plan.scale, size, size);
      };
      c.fillStyle = palette.ink;
      found.forEach(dot);
      c.fillStyle = palette.mark;
      found.filter(({lane}) => lane === state.lane).forEach(dot);
      own.forEach(dot);
      this.drawZoom(palette, state, found);
    }

    // The elements of A and B that the lane multiplies, and the elements of C that it accumulates.
    ofLane(state, found) {
      const {Registers} = ladder.views;
      if (!this.sums.has(state.warp)) this.sums.set(state.warp, Registers.sums(this.run, state.warp));
      const holds = found.length > 0 ? {A: [], B: []} : Registers.held(this.run, this.story, state.shared, state);
      return [...holds.A, ...holds.B, ...this.sums.get(state.warp)[state.lane]];
    }

    drawBack(c, palette, plan, state) {
      const {tile, story, run} = this, {scale} = plan;
      const k0 = Math.max(0, Math.min(story.tile[state.i] * story.depth, run.K - 1));
      const depth = Math.min(story.depth, run.K - k0);
      for (const name of ['A', 'B', 'C']) {
        const {x, y, rows, cols} = plan[name];
        c.fillStyle = palette.idle;
        c.fillRect(x, y, cols * scale, rows * scale);
      }
      const fill = (name, colour, row, col, rows, cols) => {
        c.fillStyle = colour;
        c.fillRect(plan[name].x + col * scale, plan[name].y + row * scale, cols * scale, rows * scale);
      };
      fill('A', palette.rest, tile.row, 0, tile.rows, run.K);
      fill('B', palette.rest, 0, tile.col, run.K, tile.cols);
      fill('C', palette.p2, tile.row, tile.col, tile.rows, tile.cols);
      if (story.stage[state.i] !== ladder.steps.STORE) {
        const colour = story.stage[state.i] === ladder.steps.COPY ? palette.p1 : palette.p0;
        fill('A', colour, tile.row, k0, tile.rows, depth);
        fill('B', colour, k0, tile.col, depth, tile.cols);
      }
      c.strokeStyle = palette.edge;
      for (const name of ['A', 'B', 'C']) {
        const {x, y, rows, cols} = plan[name];
        c.strokeRect(x + 0.5, y + 0.5, cols * scale - 1, rows * scale - 1);
        c.fillStyle = palette.soft;
        c.fillText(name, x - 9, y + 8);
      }
      this.overview.tell(`The block's tile has ${tile.rows} by ${tile.cols} elements of C and begins at row ${tile.row} `
        + `and column ${tile.col}. Tile ${story.tile[state.i]} along K begins at ${k0}.`);
    }

    // The first rows of a request, each from the first to the last column that a lane accesses.
    drawZoom(palette, state, found) {
      const {run} = this, i = state.i, site = siteOf(run, i);
      say(this.words, this.sentence(site, i, found));
      if (found.length === 0) {
        this.zoom.begin(1);
        return;
      }
      const matrix = found[0].matrix, {element} = run.matrices[matrix];
      const cells = new Map();
      for (const {lane, row, col} of found) {
        const key = `${row} ${col}`;
        if (!cells.has(key)) cells.set(key, {row, col, lanes: []});
        cells.get(key).lanes.push(lane);
      }
      const rows = [...new Set(found.map((each) => each.row))].sort((a, b) => a - b);
      const width = this.zoom.element.parentElement.clientWidth, per = SECTOR / element;
      const columns = found.map((each) => each.col);
      const first = Math.floor(Math.min(...columns) / per) * per;
      const most = Math.max(per, Math.floor((width - 58) / 10 / per) * per);
      const count = Math.min(most, (Math.floor(Math.max(...columns) / per) + 1) * per - first);
      const cell = Math.min(CELL, (width - 58) / count);
      const shown = rows.slice(0, ROWS);
      const c = this.zoom.begin(20 + shown.length * CELL + (rows.length > ROWS ? 18 : 4));
      const sectors = site.space === 'global' || (site.kind === 'copy' && patternOf(run, i).sectors !== undefined);
      this.drawCells(c, palette, {shown, first, count, cell, cells, per, state, sectors});
      if (rows.length > ROWS) {
        c.textAlign = 'left';
        c.fillStyle = palette.soft;
        c.fillText(`⋮ ${rows.length - ROWS} more rows`, 56, 28 + shown.length * CELL);
        c.textAlign = 'center';
      }
      this.zoom.tell(this.words.textContent);
    }

    drawCells(c, palette, {shown, first, count, cell, cells, per, state, sectors}) {
      const left = 54;
      c.fillStyle = palette.soft;
      for (let col = 0; col < count; col += per) {
        c.textAlign = 'left';
        if (cell * per > 26 || col % (4 * per) === 0) c.fillText(`${first + col}`, left + col * cell, 10);
      }
      c.textAlign = 'center';
      shown.forEach((row, n) => {
        const y = 20 + n * CELL;
        c.fillStyle = palette.soft;
        c.textAlign = 'right';
        c.fillText(`row ${row}`, left - 6, y + CELL / 2);
        c.textAlign = 'center';
        c.fillStyle = palette.idle;
        c.fillRect(left, y, count * cell, CELL - 2);
        for (let col = 0; col < count; ++col) {
          const at = cells.get(`${row} ${first + col}`);
          if (at) this.drawCell(c, palette, at, left + col * cell, y, cell, state);
        }
        if (sectors) this.outline(c, palette, {row, first, count, cell, cells, per, left, y});
      });
    }

    drawCell(c, palette, {lanes}, x, y, cell, state) {
      c.fillStyle = laneColour(lanes[0]);
      c.fillRect(x + 0.5, y, cell - 1, CELL - 2);
      if (lanes.includes(state.lane)) {
        c.strokeStyle = palette.mark;
        c.lineWidth = 2;
        c.strokeRect(x + 1.5, y + 1, cell - 3, CELL - 4);
        c.lineWidth = 1;
      }
      const words = lanesInWords(lanes);
      c.fillStyle = palette.ink;
      if (c.measureText(words).width < cell - 1) c.fillText(words, x + cell / 2, y + CELL / 2 - 1);
      else if (cell >= 13) c.fillText(`${lanes[0]}`, x + cell / 2, y + CELL / 2 - 1, cell - 2);
    }

    // An outline around each sector that is moved.
    outline(c, palette, {row, first, count, cell, cells, per, left, y}) {
      c.strokeStyle = palette.ink;
      c.lineWidth = 1.5;
      for (let col = 0; col < count; col += per) {
        let any = false;
        for (let j = 0; j < per; ++j) any = any || cells.has(`${row} ${first + col + j}`);
        if (any) c.strokeRect(left + col * cell, y - 0.5, per * cell, CELL - 1);
      }
      c.lineWidth = 1;
    }

    sentence(site, i, found) {
      const pattern = patternOf(this.run, i), box = boxOf(this.run, i);
      if (box) {
        return `TMA moves a box of ${box.rows} rows and ${box.cols} columns of ${box.matrix}: `
          + `${this.run.number[i]} sectors of 32 bytes.`;
      }
      if (pattern === null) {
        return this.story.stage[i] === ladder.steps.COMPUTE
          ? 'No request. A, B and C show the elements that the lane has in registers.'
          : 'No request. C shows the elements of the lane.';
      }
      if (found.length === 0) return 'The source of these words is not known.';
      const matrix = found[0].matrix, lanes = new Set(found.map((each) => each.lane)).size;
      const rows = new Set(found.map((each) => each.row)).size, cols = new Set(found.map((each) => each.col)).size;
      const many = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
      const area = `${many(rows, 'row')} and ${many(cols, 'column')} of ${matrix}`;
      if (site.space === 'global' || (site.kind === 'copy' && pattern.sectors !== undefined)) {
        const asked = lanes * site.size;
        return `${many(lanes, 'lane')}, ${area}: ${asked} bytes are requested, `
          + `${many(pattern.sectors || 0, 'sector')} of 32 bytes are moved.`;
      }
      return `${many(lanes, 'lane')}, ${area}, through shared memory.`;
    }
  };
})();

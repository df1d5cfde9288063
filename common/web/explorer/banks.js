// A request to shared memory in the 32 banks: one row for each wavefront, in the order in which they go.
'use strict';

ladder.views.Banks = (() => {
  const {make, say, colours, Canvas, laneColour, lanesInWords} = ladder.dom;
  const {siteOf, patternOf, lanesOf, sharedName} = ladder.trace;
  const BANKS = 32, LEFT = 80, TOP = 20, MOST = 32;
  const rowOf = (count) => (count <= 8 ? 22 : 9);  // pixels; a request with many wavefronts gets low rows

  // By wavefront and bank the word and the lanes that it serves: [wavefront][bank] -> {word, lanes}. Null if the event
  // does not access shared memory.
  function wavefrontsOf(run, i) {
    const site = siteOf(run, i), pattern = patternOf(run, i);
    if (site.space !== 'shared') return null;
    const wavefronts = [];
    for (const lane of lanesOf(run, i)) {
      for (let n = 0; n < Math.max(1, site.size / 4); ++n) {
        const word = Math.floor((run.at[i] + pattern.at[lane]) / 4) + n;
        const wavefront = pattern.wavefront_of ? pattern.wavefront_of[lane][n] : 0;
        wavefronts[wavefront] = wavefronts[wavefront] || new Map();
        const cell = wavefronts[wavefront].get(word % BANKS) || {word, lanes: []};
        if (!cell.lanes.includes(lane)) cell.lanes.push(lane);
        wavefronts[wavefront].set(word % BANKS, cell);
      }
    }
    return wavefronts;
  }

  return class Banks {
    // pick(lane): called when the reader chooses a lane.
    constructor(run, pick) {
      this.run = run;
      this.wavefronts = null;
      this.canvas = new Canvas('Shared memory in 32 banks');
      this.words = make('p', {class: 'explorer-words'});
      this.detail = make('p', {class: 'explorer-words explorer-detail'});
      this.element = make('section', {class: 'explorer-view'},
        make('h3', {text: 'Shared memory: 32 banks, one row per wavefront'}),
        this.words, make('div', {}, this.canvas.element), this.detail);
      this.canvas.element.addEventListener('click', (event) => {
        const cell = (this.canvas.width - LEFT - 2) / BANKS;
        const banks = this.wavefronts && this.wavefronts[Math.floor((event.offsetY - TOP) / this.row)];
        const at = banks && banks.get(Math.floor((event.offsetX - LEFT) / cell));
        if (at) pick(at.lanes[0]);
      });
    }

    show(state) {
      const {run} = this, i = state.i, wavefronts = wavefrontsOf(run, i), palette = colours();
      this.wavefronts = wavefronts;
      if (wavefronts === null) {
        say(this.words, run.boxes.has(i)
          ? `TMA accesses ${sharedName(run, siteOf(run, i).array, run.at[i], true)}. No lane takes part.`
          : 'This event does not access shared memory.');
        say(this.detail, '');
        this.canvas.begin(1);
        return;
      }
      const pattern = patternOf(run, i), count = pattern.wavefronts;
      const shown = wavefronts.slice(0, MOST);
      this.row = rowOf(shown.length);
      const c = this.canvas.begin(TOP + shown.length * this.row + 2);
      const cell = (this.canvas.width - LEFT - 2) / BANKS;
      this.drawHead(c, palette, cell);
      shown.forEach((banks, wavefront) => this.drawWavefront(c, palette, banks || new Map(), wavefront, cell, state));
      say(this.words, this.sentence(i, count, wavefronts));
      say(this.detail, this.ofLane(i, state));
      this.canvas.tell(`${this.words.textContent} ${this.detail.textContent}`);
    }

    drawHead(c, palette, cell) {
      c.fillStyle = palette.soft;
      for (let bank = 0; bank < BANKS; bank += cell > 17 ? 1 : 4) c.fillText(`${bank}`, LEFT + (bank + 0.5) * cell, 10);
      c.textAlign = 'right';
      c.fillText('bank', LEFT - 6, 10);
      c.textAlign = 'center';
    }

    drawWavefront(c, palette, banks, wavefront, cell, state) {
      const row = this.row, y = TOP + wavefront * row, large = row > 12;
      c.fillStyle = palette.soft;
      c.textAlign = 'right';
      if (large || wavefront % 4 === 0) c.fillText(`wavefront ${wavefront + 1}`, LEFT - 6, y + row / 2);
      c.textAlign = 'center';
      for (let bank = 0; bank < BANKS; ++bank) {
        const x = LEFT + bank * cell, at = banks.get(bank);
        c.fillStyle = at ? laneColour(at.lanes[0]) : palette.idle;
        c.fillRect(x + 0.5, y + 1, cell - 1, row - (large ? 3 : 1));
        if (!at) continue;
        if (at.lanes.includes(state.lane)) {
          c.strokeStyle = palette.mark;
          c.lineWidth = 2;
          c.strokeRect(x + 1.5, y + 2, cell - 3, row - (large ? 5 : 3));
          c.lineWidth = 1;
        }
        if (!large) continue;
        c.fillStyle = palette.ink;
        const words = lanesInWords(at.lanes);
        const fits = c.measureText(words).width < cell - 2 || (at.lanes.length === 1 && cell > 10);
        if (fits) c.fillText(words, x + cell / 2, y + row / 2, cell - 2);
        else if (cell > 14) c.fillText(`${at.lanes.length}×`, x + cell / 2, y + row / 2, cell - 3);
      }
    }

    sentence(i, count, wavefronts) {
      const {run} = this, site = siteOf(run, i), words = new Set();
      const banks = new Set();
      for (const each of wavefronts) {
        for (const [bank, {word}] of each || []) {
          words.add(word);
          banks.add(bank);
        }
      }
      const many = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
      const acts = {store: 'writes', copy: 'copies to', fragment: 'reads a fragment of', atomic: 'updates'};
      return `The warp ${acts[site.kind] || 'reads'} ${sharedName(run, site.array, run.at[i], true)}: `
        + `${many(words.size, 'word')} in ${many(banks.size, 'bank')}, ${many(count, 'wavefront')}.`
        + (patternOf(run, i).wavefront_of ? '' : ' The order of the lanes is not known.');
    }

    ofLane(i, state) {
      const {run} = this, site = siteOf(run, i), pattern = patternOf(run, i), lane = state.lane;
      if (pattern.at[lane] === null) return `Lane ${lane} takes no part.`;
      const at = run.at[i] + pattern.at[lane], bank = Math.floor(at / 4) % BANKS;
      const end = (bank + Math.max(1, site.size / 4) - 1) % BANKS;
      const holds = site.kind === 'store' || site.kind === 'copy' ? null : state.shared.element(run, site.array, at);
      return `Lane ${lane}: ${sharedName(run, site.array, at)}, ${site.size} bytes, ${end === bank ? `bank ${bank}`
        : `banks ${bank} to ${end}`}` + (pattern.wavefront_of ? `, wavefront ${pattern.wavefront_of[lane][0] + 1}` : '')
        + (holds ? `: ${holds.matrix}[${holds.row}][${holds.col}]` : '') + '.';
    }
  };
})();

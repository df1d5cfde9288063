// The source, with the current event's line marked. A click on a line goes to its next event.
'use strict';

ladder.views.Source = (() => {
  const {make} = ladder.dom;
  const {siteOf} = ladder.trace;
  const WORDS = new RegExp(['(?<comment>//.*$)', '(?<string>"(?:[^"\\\\]|\\\\.)*")',
    '(?<keyword>\\b(?:alignas|asm|auto|bool|break|char|const|constexpr|continue|double|else|extern|false|float|for|half'
      + '|if|int|int64_t|return|sizeof|static_assert|struct|template|true|typename|uint32_t|uint64_t|unsigned|using'
      + '|void|volatile|while|reinterpret_cast|__\\w+__)\\b)'].join('|'), 'g');

  // The code of a line, with comments, strings and keywords marked.
  function marked(words) {
    const code = make('code');
    let end = 0;
    for (const match of words.matchAll(WORDS)) {
      const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
      code.append(words.slice(end, match.index), make('span', {class: `explorer-${kind}`, text: match[0]}));
      end = match.index + match[0].length;
    }
    code.append(words.slice(end));
    return code;
  }

  return class Source {
    // pick(line): called when the reader chooses a line that has events.
    constructor(run, source, pick) {
      const busy = new Map();
      for (let i = 0; i < run.count; ++i) {
        const line = siteOf(run, i).line;
        busy.set(line, (busy.get(line) || 0) + 1);
      }
      this.run = run;
      this.lines = source.replace(/\n$/, '').split('\n').map((words, i) => {
        const count = busy.get(i + 1) || 0;
        const label = make('span', {class: 'explorer-line-number', text: i + 1});
        const properties = {class: count > 0 ? 'explorer-line explorer-busy' : 'explorer-line'};
        if (count > 0) {
          properties.title = `${count} events of the block. Click for the next one of this warp.`;
          properties.onclick = () => pick(i + 1);
        }
        return make('li', properties, label, marked(words));
      });
      this.list = make('ol', {class: 'explorer-source', tabindex: 0, 'aria-label': 'Source'}, ...this.lines);
      this.element = make('section', {class: 'explorer-view explorer-source-view'}, this.list);
      this.current = null;
    }

    // After a change of layout the current line must be scrolled to again.
    draw() {
      this.leave();
    }

    leave() {
      if (!this.current) return;
      this.current.classList.remove('explorer-current');
      this.current.removeAttribute('aria-current');
      this.current = null;
    }

    show(state) {
      const line = this.lines[siteOf(this.run, state.i).line - 1] || null;
      if (line === this.current) return;
      this.leave();
      this.current = line;
      if (!line) return;
      line.classList.add('explorer-current');
      line.setAttribute('aria-current', 'true');
      const top = line.offsetTop, room = this.list.clientHeight;
      if (top < this.list.scrollTop + 40 || top > this.list.scrollTop + room - 60) {
        this.list.scrollTop = Math.max(0, top - room / 2);
      }
    }
  };
})();

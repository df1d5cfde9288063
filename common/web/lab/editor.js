'use strict';
// The editor: CodeMirror with marks in the margin, their text below the line, and the counts of each line beside it.

ladder.lab.editor = (() => {
  const {make} = ladder.lab.page;
  const MOST = 12; // marks whose text is shown below their line
  let cm = null, widgets = [], loading = false, stepped = null;

  // onchange(), onrun(): called for an edit and for Ctrl-Enter; onpick(line): for a click on a line number.
  function mount(element, {onchange, onrun, onpick}) {
    cm = CodeMirror(element, {
      mode: 'text/x-c++src', lineNumbers: true, indentUnit: 2, tabSize: 2, matchBrackets: true, viewportMargin: 400,
      gutters: ['marks', 'CodeMirror-linenumbers', 'sectors', 'wavefronts'],
      screenReaderLabel: 'Source', inputStyle: 'contenteditable',
      extraKeys: {
        'Ctrl-Enter': onrun, 'Cmd-Enter': onrun, F8: next,
        Tab: (editor) => editor.somethingSelected() ? editor.indentSelection('add')
          : editor.replaceSelection('  ', 'end'),
        'Shift-Tab': (editor) => editor.indentSelection('subtract'), Esc: () => document.getElementById('run').focus(),
      },
    });
    cm.getInputField().setAttribute('role', 'textbox');
    cm.getInputField().setAttribute('aria-multiline', 'true');
    cm.on('gutterClick', (_, line) => onpick(line + 1));
    cm.on('change', () => {
      if (loading) return;
      element.classList.add('stale');
      onchange();
    });
  }

  // Opens another file, with an empty history.
  function open(text) {
    loading = true;
    cm.setValue(text);
    cm.clearHistory();
    loading = false;
    clear();
  }

  const get = () => cm.getValue();
  const set = (text) => cm.setValue(text); // undo brings the old text back

  function clear() {
    cm.getWrapperElement().parentElement.classList.remove('stale', 'counted');
    for (const gutter of ['marks', 'sectors', 'wavefronts']) cm.clearGutter(gutter);
    widgets.forEach((widget) => widget.clear());
    widgets = [];
    cm.eachLine((line) => cm.removeLineClass(line, 'background', 'marked'));
  }

  // Marks the current line of the explorer; 0: none.
  function step(line) {
    if (stepped) cm.removeLineClass(stepped, 'background', 'stepped');
    stepped = line && line <= cm.lineCount() ? cm.addLineClass(line - 1, 'background', 'stepped') : null;
    if (stepped) cm.scrollIntoView({line: line - 1, ch: 0}, 60);
  }

  // Adds a text to a line, in its margin and below it. line: from 1 on.
  function mark(line, text) {
    const at = Math.min(Math.max(line - 1, 0), cm.lineCount() - 1);
    const old = cm.lineInfo(at).gutterMarkers;
    const title = old && old.marks ? `${old.marks.title}\n${text}` : text;
    const sign = make('span', {class: 'mark', role: 'img', 'aria-label': title, title}, '●');
    cm.setGutterMarker(at, 'marks', sign);
    cm.addLineClass(at, 'background', 'marked');
    if (widgets.length < MOST) {
      widgets.push(cm.addLineWidget(at, make('div', {class: 'finding'}, text), {noHScroll: true, coverGutter: false}));
    }
    if (widgets.length === 1) cm.scrollIntoView({line: at, ch: 0}, 120);
  }

  // Shows the counts of an event from worker.py.
  function counts({lines, findings}) {
    for (const gutter of ['sectors', 'wavefronts']) cm.clearGutter(gutter);
    cm.getWrapperElement().parentElement.classList.add('counted');
    const bad = new Set(findings.filter((each) => !each.good).map((each) => `${each.line} ${each.shared}`));
    for (const {line, requests, cost, share} of lines) {
      ['sectors', 'wavefronts'].forEach((gutter, at) => {
        if (!requests[at] || line > cm.lineCount()) return;
        const each = cost[at] / requests[at], space = at ? 'shared' : 'global';
        const title = `${requests[at].toLocaleString('en')} requests to ${space} memory, ` +
          `${each.toFixed(2)} ${gutter} each, ${Math.round(100 * share[at])} % of all ${gutter}`;
        cm.setGutterMarker(line - 1, gutter, make('span', {
          class: bad.has(`${line} ${at === 1}`) ? 'count bad' : 'count', title}, each.toFixed(each < 10 ? 1 : 0)));
      });
    }
    cm.refresh();
  }

  function go(line) {
    cm.setCursor({line: line - 1, ch: 0});
    cm.scrollIntoView({line: line - 1, ch: 0}, 120);
    cm.focus();
  }

  function next() {
    const from = cm.getCursor().line;
    const marked = [];
    cm.eachLine((line) => { if (line.gutterMarkers && line.gutterMarkers.marks) marked.push(cm.getLineNumber(line)); });
    if (marked.length) go((marked.find((line) => line > from) ?? marked[0]) + 1);
  }

  // Replaces characters of a line; undo works. from, to: columns.
  function replace(line, from, to, text) {
    cm.replaceRange(text, {line, ch: from}, {line, ch: to}, '+knob');
  }

  return {mount, open, get, set, clear, step, mark, counts, go, replace, refresh: () => cm.refresh(), raw: () => cm};
})();

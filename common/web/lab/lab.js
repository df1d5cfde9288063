'use strict';
// The page of ./ladder lab: which subject is open, its tabs, and what the buttons do.
(() => {
  const {make, notice, tabs} = ladder.lab.page;
  const {api, editor, keep, panels} = ladder.lab;
  const by = (id) => document.getElementById(id);
  let one = null, traces = null, explorer = null, right = null;

  // ---- subjects --------------------------------------------------------------------------------------

  async function menu() {
    const rows = await api.get('menu');
    const words = {lesson: 'to play with', climb: 'to write yourself', own: ''};
    const option = (row, {name, kind, standing}) => make('option', {value: name},
      kind === 'exercise' ? `Exercise ${name}` : `${row.lesson} ${words[kind]}`, standing ? ` (${standing})` : '');
    by('subject').replaceChildren(...rows.map((row) => make('optgroup', {label: row.lesson.replaceAll('_', ' ')},
      row.subjects.map((each) => option(row, each)))));
    if (one) by('subject').value = one.name;
  }

  async function open(name) {
    if (one && !await keep.save()) { by('subject').value = one.name; return; }
    try {
      show(await api.get('open', {name}));
    } catch (error) {
      notice('open', error.message);
      if (one) by('subject').value = one.name;
    }
  }

  function show(next) {
    if (one && one.name !== next.name) ladder.lab.run.stop();
    one = next;
    history.replaceState(null, '', `?open=${encodeURIComponent(one.name)}`);
    document.title = `${one.name} · gemm-ladder lab`;
    by('subject').value = one.name;
    editor.open(one.text);
    keep.start({name: one.name, version: one.version, saved: one.text, get: editor.get, set: editor.set,
      onstate: (words) => { by('saved').textContent = words; }});
    turnKnobs();
    panels.task(right.panel('task'), one, {hint, restart, check: (answers) => run(answers)});
    for (const id of ['verdict', 'counts']) empty(id, 'Run first: Ctrl-Enter.');
    unexplore();
    by('legend').hidden = true;
    status('Ctrl-Enter builds, runs and judges it.', '');
    if (one.note) notice('kept', one.note);
    if (one.readme) lessonText(one.readme);
    else for (const id of ['lesson', 'explorer']) empty(id, 'A lesson has this. Choose one above.');
    right.show('task');
  }

  async function restart() {
    try {
      show(await api.post('restart', {name: one.name}));
      menu();
    } catch (error) { notice('open', error.message); }
  }

  async function hint() {
    try {
      panels.hints((await api.post('hint', {name: one.name})).hints);
    } catch (error) { notice('open', error.message); }
  }

  // ---- tabs ------------------------------------------------------------------------------------------

  function empty(id, text) {
    right.panel(id).replaceChildren(make('p', {class: 'empty'}, text));
  }

  async function onshow(id) {
    document.body.classList.toggle('exploring', id === 'explorer' && traces !== null);
    editor.refresh();
    if (id === 'changes') changes();
    if (id === 'explorer') explore();
  }

  async function changes() {
    try {
      await keep.save();
      panels.changes(right.panel('changes'), await api.get('changes', {name: one.name}));
    } catch (error) { notice('open', error.message); }
  }

  async function lessonText(path, anchor) {
    const panel = right.panel('lesson');
    try {
      panel.replaceChildren(...ladder.lab.markdown.render(await api.text('readme', {path}), path, lessonText));
      const place = anchor && panel.querySelector(`[data-anchor="${CSS.escape(anchor)}"]`);
      if (place) place.scrollIntoView(); else panel.scrollTop = 0;
    } catch (error) { empty('lesson', error.message); }
  }

  function unexplore() {
    if (explorer) explorer.destroy();
    explorer = traces = null;
    document.body.classList.remove('exploring');
    empty('explorer', 'Run first: Ctrl-Enter. Then step through a block.');
  }

  // The trace of the last run, mounted when it is looked at.
  async function explore() {
    if (!traces || explorer || !ladder.explorer) return;
    const now = traces, panel = right.panel('explorer');
    document.body.classList.add('exploring'); // it has the source beside its views, so it takes the editor's place
    try {
      const [trace, below] = await Promise.all([now.own, now.below].map((name) =>
        name ? api.get(`build/lab/${name}`) : null));
      if (now !== traces) return;
      panel.replaceChildren();
      const {text} = now.beside ? await api.get('source', {name: now.beside}) : {text: ''};
      explorer = ladder.explorer.mount(panel, {trace, source: now.source, name: one.name, hash: true,
        below: below && {trace: below, source: text, name: now.beside}});
    } catch (error) { empty('explorer', error.message); }
  }

  // ---- runs ------------------------------------------------------------------------------------------

  function status(text, kind) {
    by('status').textContent = text;
    by('status').className = kind;
  }

  function run(answers = []) {
    unexplore();
    views.verdict = answers.length ? by('answered') : right.panel('verdict'); // what is said of answers stands below them
    ladder.lab.run.start(one, answers);
  }

  function turnKnobs() {
    ladder.lab.knobs.show(by('knobs'), editor.get(), () => run());
  }

  const views = {
    status,
    running(on) {
      by('stop').disabled = !on;
      document.body.classList.toggle('running', on);
    },
    first(good) { if (views.verdict === by('answered')) return; if (!good || right.current() === 'task' && one.kind !== 'exercise') right.show('verdict'); },
    counts(event) {
      by('legend').hidden = false;
      editor.counts(event);
      panels.counts(right.panel('counts'), event);
    },
    trace(event) {
      traces = {...event, source: editor.get()};
      if (right.current() === 'explorer') explore();
    },
    ended() { menu(); },
  };

  // ---- the page --------------------------------------------------------------------------------------

  function divide() {
    const line = by('divider');
    const set = (percent) => {
      const width = Math.min(Math.max(percent, 20), 80);
      document.querySelector('main').style.setProperty('--left', `${width}%`);
      line.setAttribute('aria-valuenow', String(Math.round(width)));
      editor.refresh();
    };
    line.addEventListener('pointerdown', (event) => line.setPointerCapture(event.pointerId));
    line.addEventListener('pointermove', (event) => {
      if (line.hasPointerCapture(event.pointerId)) set(100 * event.clientX / innerWidth);
    });
    line.addEventListener('keydown', (event) => {
      const step = {ArrowLeft: -2, ArrowRight: 2}[event.key];
      if (step) set(Number(line.getAttribute('aria-valuenow')) + step);
    });
  }

  async function begin() {
    right = tabs(document.querySelector('[role=tablist]'), by('panels'), [['task', 'Task'], ['verdict', 'Verdict'],
      ['counts', 'Counts'], ['changes', 'Changes'], ['explorer', 'Explorer'], ['lesson', 'Lesson']], onshow);
    editor.mount(by('editor'), {onchange: () => { keep.changed(); turnKnobs(); }, onrun: () => run()});
    views.verdict = right.panel('verdict');
    ladder.lab.run.setup(views);
    by('run').addEventListener('click', () => run());
    by('stop').addEventListener('click', ladder.lab.run.stop);
    by('subject').addEventListener('change', () => open(by('subject').value));
    addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      run();
    });
    divide();
    try {
      await menu();
      await open(new URLSearchParams(location.search).get('open') || '00.0');
    } catch (error) { notice('open', error.message); }
  }

  begin();
})();

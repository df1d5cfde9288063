'use strict';
// The page of ./ladder lab: the open subject, its tabs and the buttons.
(() => {
  const {make, notice, tabs} = ladder.lab.page;
  const {api, editor, keep, panels, subjects} = ladder.lab;
  const by = (id) => document.getElementById(id);
  const RUN_FIRST = 'Nothing yet. Run the kernel: Ctrl-Enter.';
  const ONLY_LESSONS = 'Only lessons have this. Choose one above.';
  let one = null, traces = null, explorer = null, right = null;

  // ---- subjects --------------------------------------------------------------------------------------

  async function menu() {
    subjects.show(await api.get('menu'));
  }

  async function open(name) {
    if (one && !await keep.save()) return;
    try {
      show(await api.get('open', {name}));
    } catch (error) { notice('open', error.message); }
  }

  function show(next) {
    if (one && one.name !== next.name) ladder.lab.run.stop();
    one = next;
    history.replaceState(null, '', `?open=${encodeURIComponent(one.name)}`);
    document.title = `${one.name} · gemm-ladder lab`;
    subjects.choose(one.name);
    editor.open(one.text);
    keep.start({name: one.name, version: one.version, saved: one.text, get: editor.get, set: editor.set,
      onstate: (words) => { by('saved').textContent = words; }});
    turnKnobs();
    panels.task(right.panel('task'), one, {hint, restart, check: (answers) => run(answers)});
    empty('verdict', one.kind === 'exercise' ? 'The verdict on an exercise appears under Task.' : RUN_FIRST);
    empty('counts', RUN_FIRST);
    unexplore();
    by('legend').hidden = true;
    status('Ctrl-Enter builds, runs and checks the kernel.', '');
    if (one.note) notice('kept', one.note);
    if (one.readme) lessonText(one.readme);
    else for (const id of ['lesson', 'explorer']) empty(id, ONLY_LESSONS);
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
    if (id === 'changes') changes();
    if (id === 'explorer') explore();
    else editor.step(0);
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
      if (place) {
        if (place.tagName === 'DETAILS') place.open = true;
        place.scrollIntoView();
      } else {
        panel.scrollTop = 0;
      }
    } catch (error) { empty('lesson', error.message); }
  }

  function unexplore() {
    if (explorer) explorer.destroy();
    explorer = traces = null;
    editor.step(0);
    empty('explorer', !one || one.readme ? 'The explorer shows the run when it is ready.' : ONLY_LESSONS);
  }

  // Shows the trace of the last run when its tab is open; before any run, that of the lesson.
  async function explore() {
    if (explorer || !ladder.explorer) return;
    if (!traces) {
      if (one.readme && !document.body.classList.contains('running')) ladder.lab.run.start(one, [], 'trace');
      return;
    }
    const now = traces, panel = right.panel('explorer');
    try {
      const [trace, below, source, other] = await Promise.all([
        now.own ? api.get(`build/lab/${now.own}`) : null, now.below ? api.get(`build/lab/${now.below}`) : null,
        now.lesson ? api.get('source', {name: now.lesson}) : {text: now.source},
        now.beside ? api.get('source', {name: now.beside}) : {text: ''}]);
      if (now !== traces || explorer) return;
      panel.replaceChildren();
      const inEditor = source.text === editor.get(); // then the editor marks the current line
      explorer = ladder.explorer.mount(panel, {trace, source: source.text, name: now.lesson || one.name, hash: true,
        online: inEditor ? (line) => { if (right.current() === 'explorer') editor.step(line); } : null,
        below: below && {trace: below, source: other.text, name: now.beside}});
    } catch (error) { empty('explorer', error.message); }
  }

  // ---- runs ------------------------------------------------------------------------------------------

  function status(text, kind) {
    by('status').textContent = text;
    by('status').className = kind;
  }

  function run(answers = []) {
    unexplore();
    views.verdict = one.kind === 'exercise' ? by('answered') : right.panel('verdict');
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
    first(good) {
      const id = one.kind === 'exercise' ? 'task' : 'verdict';
      if (!good || right.current() === 'task') right.show(id);
    },
    counts(event) {
      by('legend').hidden = false;
      editor.counts(event);
      panels.counts(right.panel('counts'), event);
    },
    trace(event) {
      traces = {...event, source: editor.get()};
      if (right.current() === 'explorer') explore();
    },
    ended(text) {
      panels.misread(one, text);
      if (!traces && one.readme) empty('explorer', 'The run gave no trace. Choose this tab again to see the lesson.');
      menu();
    },
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
    editor.mount(by('editor'), {onchange: () => { keep.changed(); turnKnobs(); }, onrun: () => run(),
      onpick: (line) => { if (explorer && right.current() === 'explorer') explorer.goToLine(line); }});
    subjects.setup(open);
    views.verdict = right.panel('verdict');
    ladder.lab.run.setup(views);
    by('run').addEventListener('click', () => run());
    by('stop').addEventListener('click', ladder.lab.run.stop);
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

'use strict';
// A run: saves the file, starts the run, and shows each event (worker.py) as it arrives.

ladder.lab.run = (() => {
  const {make} = ladder.lab.page;
  let turn = 0, one = null, kind = 'run', views = null, begun = 0, doing = '', stopping = false, head = null;

  // views: {status(text, kind), running(on), verdict: element, first(good), counts(event), trace(event), ended(text)}
  function setup(next) { views = next; }

  // what: 'run', or 'trace' for the trace of the lesson alone.
  async function start(subject, answers = [], what = 'run') {
    if (!await ladder.lab.keep.save()) return;
    const mine = ++turn;
    stopping = false;
    head = null;
    one = subject;
    kind = what;
    begun = performance.now();
    if (kind === 'run') {
      ladder.lab.editor.clear();
      views.verdict.replaceChildren();
    }
    views.running(true);
    views.status('saving', 'busy');
    let ended = false;
    try {
      await ladder.lab.api.stream(kind, {name: one.name, answers}, (event) => {
        if (mine !== turn) return;
        ended = ended || event.event === 'end';
        if (stopping && event.event === 'step') stop(); // it started after the request to stop
        show(event);
      });
      if (mine === turn && !ended) throw new Error('the run was interrupted: no answer from ./ladder lab');
    } catch (error) {
      if (mine === turn) views.status(error.message, 'bad');
    }
    if (mine === turn) views.running(false);
  }

  async function stop() {
    stopping = true;
    views.status('stopping', 'busy');
    await ladder.lab.api.post('stop', {}).catch((error) => views.status(error.message, 'bad'));
  }

  const seconds = () => `${((performance.now() - begun) / 1000).toFixed(1)} s`;

  function show(event) {
    const act = {step, mark, verdict, counts: views.counts, trace: views.trace, said, judged, headline, end, alive}[event.event];
    if (act) act(event);
  }

  function step({text}) {
    if (!text.trim()) return;
    doing = text.replace(/ \d+ s(, about .* left)?$/, '');
    views.status(doing, 'busy');
  }

  // Shows the time when nothing was reported for a second.
  function alive() {
    views.status(`${doing}, ${seconds()}`, 'busy');
  }

  function mark({line, text}) {
    ladder.lab.editor.mark(line, text);
  }

  // The first verdict, with the time since the start; a worse verdict of a later run replaces it.
  function verdict({good, problem, lines, printed}) {
    let list = views.verdict.querySelector('.first');
    if (!list) views.verdict.append(list = make('ul', {class: 'first'}), make('ul', {class: 'judged'}));
    const time = ((performance.now() - begun) / 1000).toFixed(2);
    list.className = good ? 'first good' : 'first bad';
    list.dataset.seconds = list.dataset.seconds || time;
    const {linked} = ladder.lab.panels;
    const code = lines.some((line) => /^ +(\d+ )?\|/.test(line)); // a compiler's excerpt of the source
    list.replaceChildren(
      make('li', {}, make('b', {}, good ? 'correct so far' : 'wrong'), ` ${problem} `, make('small', {}, `${time} s`)),
      ...(code ? [make('li', {}, make('pre', {tabindex: '0'}, linked(lines.join('\n'))))] :
        lines.map((line) => make('li', {}, linked(line)))));
    if (printed.length) list.append(make('li', {}, make('pre', {tabindex: '0'}, printed.join('\n'))));
    views.first(good);
  }

  function list() {
    if (!views.verdict.querySelector('.judged')) views.verdict.append(make('ul', {class: 'judged'}));
    return views.verdict.querySelector('.judged');
  }

  function said({text}) { ladder.lab.panels.said(list(), text); }

  function judged(event) { ladder.lab.panels.judged(list(), event); }

  // The overall result, in the words of the terminal.
  function headline({kind, text}) {
    head = {kind, text};
    said({text});
  }

  function end({code, text}) {
    const lines = text ? text.split('\n') : [];
    if (code === 130) views.status(`stopped after ${seconds()}`, '');
    else if (lines.length) views.status(lines[0], 'bad');
    else if (kind === 'trace') views.status('The explorer shows the lesson. Ctrl-Enter runs your file.', '');
    else if (head) views.status(`${head.text} ${seconds()}`, {good: 'good', idea: 'idea', wrong: 'bad'}[head.kind]);
    else if (code === 0) views.status(`passed, ${seconds()}`, 'good');
    else views.status(`failed, ${seconds()}`, 'bad');
    if (kind === 'run' && lines.length && code !== 130) lines.forEach((line) => said({text: line}));
    views.ended(lines[0] || '');
  }

  return {setup, start, stop};
})();

'use strict';
// A run: saves the file, starts it, and shows each event (worker.py) as it comes.

ladder.lab.run = (() => {
  const {make} = ladder.lab.page;
  let turn = 0, one = null, views = null, begun = 0, doing = '', stopping = false, head = null;

  // views: {status(text, kind), verdict: element, counts(event), trace(event), marks(line, text), ended()}
  function setup(next) { views = next; }

  async function start(subject, answers = []) {
    if (!await ladder.lab.keep.save()) return;
    const mine = ++turn;
    stopping = false;
    head = null;
    one = subject;
    begun = performance.now();
    ladder.lab.editor.clear();
    views.verdict.replaceChildren();
    views.running(true);
    views.status('saving', 'busy');
    let ended = false;
    try {
      await ladder.lab.api.stream('run', {name: one.name, answers}, (event) => {
        if (mine !== turn) return;
        ended = ended || event.event === 'end';
        if (stopping && event.event === 'step') stop(); // it began when it was asked to stop
        show(event);
      });
      if (mine === turn && !ended) throw new Error('the run broke off: no answer from ./ladder lab');
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

  // Nothing is said for a second: the time shows that it goes on.
  function alive() {
    views.status(`${doing}, ${seconds()}`, 'busy');
  }

  function mark({line, text}) {
    ladder.lab.editor.mark(line, text);
  }

  // The first verdict, by the clock of the reader; a worse one of a later run takes its place.
  function verdict({good, problem, lines, printed}) {
    let list = views.verdict.querySelector('.first');
    if (!list) views.verdict.append(list = make('ul', {class: 'first'}), make('ul', {class: 'judged'}));
    const time = ((performance.now() - begun) / 1000).toFixed(2);
    list.className = good ? 'first good' : 'first bad';
    list.dataset.seconds = list.dataset.seconds || time;
    const {linked} = ladder.lab.panels;
    const code = lines.some((line) => /^ +(\d+ )?\|/.test(line)); // a compiler shows the place
    list.replaceChildren(
      make('li', {}, make('b', {}, good ? 'right so far' : 'not right'), ` ${problem} `, make('small', {}, `${time} s`)),
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

  // What all of it comes to, as the terminal says it.
  function headline({kind, text}) {
    head = {kind, text};
    said({text});
  }

  function end({code, text}) {
    const lines = text ? text.split('\n') : [];
    if (code === 130) views.status(`stopped after ${seconds()}`, '');
    else if (lines.length) views.status(lines[0], 'bad');
    else if (head) views.status(`${head.text} ${seconds()}`, {good: 'good', idea: 'idea', wrong: 'bad'}[head.kind]);
    else if (code === 0) views.status(`all of it holds, ${seconds()}`, 'good');
    else views.status(`not right, ${seconds()}`, 'bad');
    if (lines.length && code !== 130) lines.forEach((line) => said({text: line}));
    views.ended(code);
  }

  return {setup, start, stop};
})();

'use strict';
// A run: saves the file, starts it, and shows each event (worker.py) as it comes.
window.ladder = window.ladder || {};

ladder.run = (() => {
  const {make} = ladder.dom;
  let turn = 0, one = null, views = null, begun = 0;

  // views: {status(text, kind), verdict: element, counts(event), trace(event), marks(line, text), ended()}
  function setup(next) { views = next; }

  async function start(subject, answers = []) {
    if (!await ladder.keep.save()) return;
    const mine = ++turn;
    one = subject;
    begun = performance.now();
    ladder.editor.clear();
    views.verdict.replaceChildren();
    views.running(true);
    views.status('saving', 'busy');
    let ended = false;
    try {
      await ladder.api.stream('run', {name: one.name, answers}, (event) => {
        if (mine !== turn) return;
        ended = ended || event.event === 'end';
        show(event);
      });
      if (mine === turn && !ended) throw new Error('the run broke off: no answer from ./ladder lab');
    } catch (error) {
      if (mine === turn) views.status(error.message, 'bad');
    }
    if (mine === turn) views.running(false);
  }

  async function stop() {
    views.status('stopping', 'busy');
    await ladder.api.post('stop', {}).catch((error) => views.status(error.message, 'bad'));
  }

  const seconds = () => `${((performance.now() - begun) / 1000).toFixed(1)} s`;

  function show(event) {
    const act = {step, mark, verdict, counts: views.counts, trace: views.trace, said, end, alive: () => {}}[event.event];
    if (act) act(event);
  }

  function step({text}) {
    if (text.trim()) views.status(text, 'busy');
  }

  function mark({line, text}) {
    ladder.editor.mark(line, text);
  }

  // The first verdict, by the clock of the reader.
  function verdict({good, text, printed}) {
    const line = make('p', {class: good ? 'first good' : 'first bad', 'data-seconds': ((performance.now() - begun) / 1000).toFixed(2)},
      make('b', {}, good ? 'right so far' : 'not right'), ' ', text, make('small', {}, ` ${seconds()}`));
    views.verdict.replaceChildren(line, printed ? make('pre', {}, printed) : '', make('ul', {class: 'judged'}));
    views.first(good);
  }

  function said({text}) {
    let list = views.verdict.querySelector('.judged');
    if (!list) views.verdict.append(list = make('ul', {class: 'judged'}));
    ladder.views.said(list, text);
  }

  function end({code, text}) {
    const lines = text ? text.split('\n') : [];
    if (code === 130) views.status(`stopped after ${seconds()}`, '');
    else if (lines.length) views.status(lines[0], 'bad');
    else views.status(code === 0 ? `all of it holds, ${seconds()}` : `not right, ${seconds()}`, code === 0 ? 'good' : 'bad');
    if (lines.length && code !== 130) lines.forEach((line) => said({text: line}));
    views.ended(code);
  }

  return {setup, start, stop};
})();

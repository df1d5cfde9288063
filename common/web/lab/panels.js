'use strict';
// What the tabs on the right show: the task, what was judged, the counts, the changes and the lesson's text.

ladder.lab.panels = (() => {
  const {make, button} = ladder.lab.page;

  let place = /(?!)/; // the open file's path with a line, as in practice/02.0/gemm.cu:26

  const soft = (text) => make('p', {class: 'path'}, text);
  const paragraphs = (lines) => lines.flatMap((line) => ladder.lab.markdown.render(line, '', () => {}));

  // ---- the task --------------------------------------------------------------------------------------

  // one: as subjects.opened tells it; acts: {hint(), restart(), open(name), check(answers)}
  function task(panel, one, acts) {
    const number = one.lesson.slice(0, 2);
    const parts = {lesson: lessonTask, climb: climbTask, exercise: exerciseTask, own: ownTask}[one.kind](one, acts, number);
    place = new RegExp(`(${one.path.replace(/[^\w/]/g, '\\$&')}:\\d+)`);
    const again = one.kind === 'own' ? null : button('Begin anew', acts.restart, {title: 'Your file is kept beside the new one.'});
    const next = one.more_hints ? button('Hint', acts.hint, {id: 'hint'}) : null;
    panel.replaceChildren(...parts, soft(one.path), make('div', {class: 'acts'}, next, again),
      make('div', {id: 'hints', 'aria-live': 'polite'}));
    hints(one.hints);
  }

  function lessonTask(one, acts, number) {
    return [make('h2', {}, one.lesson), make('p', {}, one.idea),
      one.below ? make('p', {}, make('strong', {}, `Changed from ${one.below}: `), one.change) : null,
      make('p', {}, 'This is your copy. Turn a knob, take a barrier away, swap two indices: Run says what becomes of ' +
        'it. The lesson itself stays as it is.')].filter(Boolean);
  }

  function ownTask(one) {
    return [make('h2', {}, one.path), make('p', {}, 'Your own program. Run builds it for the CPU, runs it as ./ladder cuda ' +
      'does, and shows races, out-of-bounds accesses and the memory traffic at their lines.')];
  }

  function climbTask(one) {
    return [make('h2', {}, `Turn lesson ${one.base} into ${one.lesson}`),
      make('p', {}, make('strong', {}, 'The idea: '), one.idea),
      make('p', {}, make('strong', {}, 'To change: '), one.change),
      make('p', {}, 'What check tests, in a run with whole tiles:'),
      make('ul', {}, one.aims.map((aim) => make('li', {}, aim))),
      make('p', {}, 'Results must stay correct for all sizes, strides and alignments.')];
  }

  function exerciseTask(one, acts) {
    const form = make('form', {class: 'questions', onsubmit: (event) => {
      event.preventDefault();
      acts.check(one.questions.map((_, at) => form.elements[`answer${at}`].value.trim()));
    }}, one.questions.map((each, at) => make('label', {}, make('span', {}, each.asks),
      make('input', {name: `answer${at}`, autocomplete: 'off', spellcheck: 'false', class: each.right ? 'right' : '',
        value: each.right ? each.typed : ''}),
      make('span', {class: 'said', 'data-question': each.name}, each.right ? 'right' : ''))),
    one.questions.length ? make('button', {type: 'submit'}, 'Check the answers') : null);
    return [make('h2', {}, `Exercise ${one.name}`), ...paragraphs(one.statement), form,
      one.judged ? make('p', {}, 'Your edit is judged as well: Run.') : null,
      make('div', {id: 'answered', 'aria-live': 'polite'}, one.done ? make('p', {}, `Exercise ${one.name} is done.`) : '')]
      .filter(Boolean);
  }

  function hints(lines) {
    const items = lines.map((line) => make('li', {}, line.trim()));
    document.getElementById('hints').replaceChildren(make('ol', {class: 'hints'}, items));
  }

  // ---- what was judged -------------------------------------------------------------------------------

  // A line whose places in the file, as practice/02.0/gemm.cu:26, lead there.
  function linked(text) {
    return text.split(place).map((part, at) => at % 2 === 0 ? part :
      button(`line ${part.split(':')[1]}`, () => ladder.lab.editor.go(Number(part.split(':')[1])), {class: 'link'}));
  }

  // A verdict of ./ladder check, with the lines to blame; of an answer, it stands beside its field as well.
  function judged(list, {kind, text, where, question}) {
    const look = {holds: 'good', yes: 'good', left: 'left'}[kind] || 'bad';
    list.append(make('li', {class: look}, make('b', {}, kind), ' ', make('span', {}, text),
      ...where.map((line) => make('div', {}, linked(line)))));
    const place = question && document.querySelector(`.said[data-question="${CSS.escape(question)}"]`);
    if (place) place.textContent = kind === 'yes' ? 'right' : 'not yet';
  }

  // Another line: what the suite says, a hint, an explanation.
  function said(list, text) {
    if (!text.trim()) return;
    if (/^ {4,}/.test(text) && list.lastElementChild) {
      const wrapped = !list.lastElementChild.className;
      list.lastElementChild.append(wrapped ? ` ${text.trim()}` : make('div', {}, linked(text.trim())));
    } else {
      list.append(make('li', {}, linked(text)));
    }
  }

  // ---- counts ----------------------------------------------------------------------------------------

  function counts(panel, {sizes, beside, totals, findings, note}) {
    const number = (text) => text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, '\u202f');
    const ratioOf = (ratio) => ratio ? (ratio === 1 ? '=' : `${Number(ratio.toPrecision(3))}×`) : 'new';
    const rows = totals.map(([label, part, mine, other, ratio]) => make('tr', {class: part ? 'part' : ''},
      make('th', {scope: 'row'}, label), make('td', {}, number(mine)), ...(beside ? [make('td', {}, number(other)),
        make('td', {class: ratio && ratio !== 1 ? 'differs' : ''}, ratioOf(ratio))] : [])));
    const head = [sizes.length ? 'M N K = ' + sizes.join(' ') : 'all launches', 'yours', ...(beside ? [beside, 'yours / that'] : [])];
    panel.replaceChildren(
      make('h2', {}, 'What it asks of memory'),
      make('ul', {class: 'findings'}, findings.map((each) => make('li', {class: each.good ? 'good' : 'bad'},
        each.line ? button(each.text, () => ladder.lab.editor.go(each.line), {class: 'link'}) : each.text))),
      make('div', {class: 'table', tabindex: '0'}, make('table', {class: 'counts'},
        make('thead', {}, make('tr', {}, head.map((text) => make('th', {scope: 'col'}, text)))),
        make('tbody', {}, rows))),
      note ? make('p', {}, note) : '',
      soft('Counted on the CPU backend. Not modelled: cache hits, latency, occupancy, registers and spills.'));
  }

  // ---- changes ---------------------------------------------------------------------------------------

  function changes(panel, {lines, base}) {
    const count = (sign) => lines.filter((line) => line[0] === sign).length;
    const kinds = {'+': 'added', '-': 'removed', '@': 'place'};
    const shown = lines.map((line) => make('span', {class: kinds[line[0]] || ''},
      `${line[0] === '@' ? line.replace(/^@@ \S+ \+(\d+)\S* @@.*/, 'line $1') : line}\n`));
    panel.replaceChildren(
      make('h2', {}, base ? `What differs from ${base}` : 'There is nothing to compare with'),
      make('p', {}, lines.length ? `${count('+')} lines added, ${count('-')} deleted.` : base ? 'Nothing.' : ''),
      make('pre', {class: 'diff', tabindex: '0'}, make('code', {}, shown)));
  }

  return {task, hints, linked, judged, said, counts, changes};
})();

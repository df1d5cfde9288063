'use strict';
// The contents of the tabs: the task, the verdict, the counts and the changes.

ladder.lab.panels = (() => {
  const {make, button} = ladder.lab.page;

  let place = /(?!)/; // the open file's path with a line, as in practice/02.0/gemm.cu:26

  const soft = (text) => make('p', {class: 'path'}, text);
  const paragraphs = (lines) => lines.flatMap((line) => ladder.lab.markdown.render(line, '', () => {}));

  // ---- the task --------------------------------------------------------------------------------------

  // one: a subject as subjects.opened() returns it; acts: {hint(), restart(), check(answers)}
  function task(panel, one, acts) {
    const parts = {lesson: lessonTask, climb: climbTask, exercise: exerciseTask, own: ownTask}[one.kind](one, acts);
    place = new RegExp(`(${one.path.replace(/[^\w/]/g, '\\$&')}:\\d+)`);
    const again = one.kind === 'own' ? null
      : button('Start over', acts.restart, {title: 'Your file is kept under another name.'});
    const next = one.more_hints ? button('Hint', acts.hint, {id: 'hint'}) : null;
    panel.replaceChildren(...parts, soft(one.path), make('div', {class: 'acts'}, next, again),
      make('div', {id: 'hints', 'aria-live': 'polite'}));
    hints(one.hints);
  }

  function lessonTask(one) {
    return [make('h2', {}, one.lesson), make('p', {}, one.idea),
      one.below ? make('p', {}, make('strong', {}, `Changed from ${one.below}: `), one.change) : null,
      make('p', {}, 'This is your copy; the lesson itself does not change. Move a knob, remove a barrier or swap two ' +
        'indices, and Run shows the effect.')].filter(Boolean);
  }

  function ownTask(one) {
    return [make('h2', {}, one.path), make('p', {}, 'Your own program. Run builds it for the CPU, runs it as ./ladder cuda ' +
      'does, and shows races, out-of-bounds accesses and the memory traffic at their lines.')];
  }

  function climbTask(one) {
    return [make('h2', {}, `Turn lesson ${one.base} into ${one.lesson}`),
      make('p', {}, make('strong', {}, 'The idea: '), one.idea),
      make('p', {}, make('strong', {}, 'To change: '), one.change),
      make('p', {}, 'A run with whole tiles must meet these conditions:'),
      make('ul', {}, one.aims.map((aim) => make('li', {}, aim))),
      make('p', {}, 'The result must be correct for all sizes, strides and alignments.')];
  }

  function exerciseTask(one, acts) {
    const form = make('form', {class: 'questions', onsubmit: (event) => {
      event.preventDefault();
      acts.check(one.questions.map((_, at) => form.elements[`answer${at}`].value.trim()));
    }}, one.questions.map((each, at) => make('label', {}, make('span', {}, each.asks),
      make('input', {name: `answer${at}`, autocomplete: 'off', spellcheck: 'false', class: each.right ? 'right' : '',
        value: each.right ? each.typed : ''}),
      make('span', {class: each.right ? 'said good' : 'said', 'data-question': each.name, 'aria-live': 'polite'},
        each.right ? 'right' : ''))),
    one.questions.length ? make('button', {type: 'submit'}, 'Check the answers') : null);
    return [make('h2', {}, `Exercise ${one.name}`), ...paragraphs(one.statement), form,
      one.judged ? make('p', {}, 'Run checks your edit, too.') : null,
      make('div', {id: 'answered', 'aria-live': 'polite'}, one.done ? make('p', {}, `Exercise ${one.name} is done.`) : '')]
      .filter(Boolean);
  }

  function hints(lines) {
    const items = lines.map((line) => make('li', {}, line.trim()));
    document.getElementById('hints').replaceChildren(make('ol', {class: 'hints'}, items));
  }

  // ---- the verdict -----------------------------------------------------------------------------------

  // Text in which places in the file, as practice/02.0/gemm.cu:26, are buttons that go there.
  function linked(text) {
    return text.split(place).map((part, at) => at % 2 === 0 ? part :
      button(`line ${part.split(':')[1]}`, () => ladder.lab.editor.go(Number(part.split(':')[1])), {class: 'link'}));
  }

  // Adds a verdict of ./ladder check with the responsible lines. The verdict on an answer also goes beside its field.
  function judged(list, {kind, text, where, question}) {
    const look = {holds: 'good', yes: 'good', left: 'left'}[kind] || 'bad';
    list.append(make('li', {class: look}, make('b', {}, {yes: 'right', no: 'not yet'}[kind] || kind), ' ',
      make('span', {}, text), ...where.map((line) => make('div', {}, linked(line)))));
    if (question) answered(question, kind === 'yes' ? 'right' : 'not yet', kind === 'yes');
  }

  // Puts words beside the field of a question.
  function answered(question, words, good) {
    const place = document.querySelector(`.said[data-question="${CSS.escape(question)}"]`);
    if (!place) return;
    place.textContent = words;
    place.className = good ? 'said good' : 'said bad';
  }

  // If a message is about an unreadable answer, as "sectors: a number, not 'x'", it goes beside the field.
  function misread(one, text) {
    for (const {name} of one.questions || []) {
      if (text.startsWith(`${name}: `)) answered(name, `Please type ${text.slice(name.length + 2)}.`, false);
    }
  }

  // Adds another line: from the suite, a hint, an explanation.
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
    const head = [sizes.length ? 'M N K = ' + sizes.join(' ') : 'all launches', 'yours', ...(beside ? [beside, 'ratio'] : [])];
    panel.replaceChildren(
      make('h2', {}, 'Memory traffic and work'),
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
      make('h2', {}, base ? `Changes from ${base}` : 'There is nothing to compare with'),
      make('p', {}, lines.length ? `${count('+')} lines added, ${count('-')} deleted.` : base ? 'No changes.' : ''),
      make('pre', {class: 'diff', tabindex: '0'}, make('code', {}, shown)));
  }

  return {task, hints, linked, judged, misread, said, counts, changes};
})();

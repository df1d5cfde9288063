'use strict';
// The list of subjects in a dialog: lessons, climbs and exercises, filtered by the words that are typed.

ladder.lab.subjects = (() => {
  const {make} = ladder.lab.page;
  const KINDS = {lesson: 'experiment', climb: 'climb: write it yourself', own: 'your program'};
  let rows = [], chosen = '', onopen = null;
  const by = (id) => document.getElementById(id);

  const label = (row, {name, kind}) => (kind === 'exercise' ? `Exercise ${name}` : `${row.lesson} · ${KINDS[kind]}`);

  // open(name): called when the reader chooses a subject.
  function setup(open) {
    onopen = open;
    by('subject').addEventListener('click', () => {
      by('subject-words').value = '';
      filter();
      by('subjects').showModal();
      const now = by('subjects').querySelector('[aria-current]');
      if (now) now.scrollIntoView({block: 'center'});
      by('subject-words').focus();
    });
    by('subject-words').addEventListener('input', filter);
    by('subjects').addEventListener('keydown', keys);
    by('subjects').addEventListener('click', (event) => { if (event.target === by('subjects')) by('subjects').close(); });
  }

  // next: the rows of GET menu.
  function show(next) {
    rows = next;
    by('subject-list').replaceChildren(...rows.map((row) => make('section', {},
      make('h2', {}, row.lesson.replaceAll('_', ' ')), make('p', {class: 'path'}, row.idea),
      make('ul', {}, row.subjects.map((each) => make('li', {}, item(row, each)))))));
    choose(chosen);
  }

  function item(row, each) {
    const words = [label(row, each), row.lesson.replaceAll('_', ' '), row.idea, each.standing, each.asks].join(' ');
    return make('button', {type: 'button', 'data-name': each.name, 'data-words': words.toLowerCase(),
      onclick: () => { by('subjects').close(); onopen(each.name); }},
    label(row, each), each.standing ? ` (${each.standing})` : '', each.asks ? make('span', {}, each.asks) : '');
  }

  function filter() {
    const wanted = by('subject-words').value.toLowerCase().split(/\s+/);
    for (const section of by('subject-list').children) {
      const items = [...section.querySelectorAll('li')];
      for (const each of items) each.hidden = !wanted.every((word) => each.firstChild.dataset.words.includes(word));
      section.hidden = items.every((each) => each.hidden);
    }
    by('subject-none').hidden = visible().length > 0;
  }

  const visible = () => [...by('subject-list').querySelectorAll('section:not([hidden]) li:not([hidden]) button')];

  // Up and down go through the list; Enter in the field opens its first subject.
  function keys(event) {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key], items = visible();
    if (event.key === 'Enter' && event.target === by('subject-words') && items.length) {
      event.preventDefault();
      items[0].click();
    }
    if (!step) return;
    event.preventDefault();
    const at = items.indexOf(event.target) + step;
    (at < 0 ? by('subject-words') : items[Math.min(at, items.length - 1)] || by('subject-words')).focus();
  }

  // Shows which subject is open.
  function choose(name) {
    chosen = name;
    for (const row of rows) {
      for (const each of row.subjects) {
        if (each.name === name) by('subject').textContent = label(row, each) + (each.standing ? ` (${each.standing})` : '');
      }
    }
    for (const each of by('subject-list').querySelectorAll('button')) {
      if (each.dataset.name === name) each.setAttribute('aria-current', 'true');
      else each.removeAttribute('aria-current');
    }
  }

  return {setup, show, choose};
})();

'use strict';
// The search: "/" or the button opens it. It loads the index, a list of sections, when it is opened first.
(() => {
  const MOST = 20;
  const AROUND = 70; // characters shown on each side of a match

  const words = (text) => text.toLowerCase().split(/\s+/).filter((word) => word);

  // The sections that have all words, best first: words in the page's title, in the section's title, in the text.
  function find(index, text) {
    const wanted = words(text);
    if (!wanted.length) return [];
    const found = [];
    for (const entry of index) {
      const parts = [[entry.page, 20], [entry.title, 12], [entry.text, 1]].map(([part, weight]) => [part.toLowerCase(), weight]);
      let score = entry.title.toLowerCase() === wanted.join(' ') ? 40 : 0; // a term
      for (const word of wanted) {
        const best = parts.map(([part, weight]) => part.includes(word) ? weight + (part.startsWith(word) ? 3 : 0) : 0);
        const gained = best[0] + best[1] + best[2] * Math.min(4, parts[2][0].split(word).length - 1);
        if (!gained) {
          score = 0;
          break;
        }
        score += gained;
      }
      if (score) found.push({entry, score});
    }
    return found.sort((a, b) => b.score - a.score).slice(0, MOST).map((each) => each.entry);
  }

  // Puts text into an element, with <mark> around the words.
  function marked(element, text, wanted) {
    const pattern = new RegExp(`(${wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'i');
    text.split(pattern).forEach((piece, at) => {
      const node = at % 2 ? document.createElement('mark') : document.createTextNode('');
      node.textContent = piece;
      element.append(node);
    });
  }

  function excerpt(text, wanted) {
    const low = text.toLowerCase();
    const at = Math.max(0, Math.min(...wanted.map((word) => low.indexOf(word)).filter((place) => place >= 0), low.length));
    const begin = Math.max(0, at - AROUND);
    return (begin ? '… ' : '') + text.slice(begin, at + 2 * AROUND) + (at + 2 * AROUND < text.length ? ' …' : '');
  }

  function show(list, found, text, root) {
    const wanted = words(text);
    list.replaceChildren(...found.map((entry, at) => {
      const item = document.createElement('li');
      item.setAttribute('role', 'presentation');
      const link = document.createElement('a');
      link.id = `found-${at}`;
      link.href = root + entry.url;
      link.setAttribute('role', 'option');
      link.setAttribute('aria-selected', 'false');
      link.tabIndex = -1;
      const title = document.createElement('strong');
      marked(title, entry.title ? `${entry.page} · ${entry.title}` : entry.page, wanted);
      const text = document.createElement('span');
      marked(text, excerpt(entry.text, wanted), wanted);
      link.append(title, text);
      item.append(link);
      return item;
    }));
  }

  function choose(list, input, step) {
    const items = [...list.querySelectorAll('a')];
    const now = items.findIndex((item) => item.getAttribute('aria-selected') === 'true');
    const next = Math.max(0, Math.min(items.length - 1, now + step));
    items.forEach((item, at) => item.setAttribute('aria-selected', String(at === next)));
    items[next]?.scrollIntoView({block: 'nearest'});
    if (items[next]) input.setAttribute('aria-activedescendant', items[next].id);
    return items[next];
  }

  function start() {
    const dialog = document.getElementById('search');
    const [input, list, status] = ['input', 'ul', '[role=status]'].map((each) => dialog.querySelector(each));
    const root = document.documentElement.dataset.root;
    const update = () => {
      const found = find(ladder.index || [], input.value);
      show(list, found, input.value, root);
      input.setAttribute('aria-expanded', String(found.length > 0));
      input.removeAttribute('aria-activedescendant');
      status.textContent = !input.value.trim() ? 'Searches all lessons and pages. Arrow keys select, Enter opens.' :
        found.length ? '' : 'Nothing found.';
    };
    const open = async () => {
      if (!dialog.open) dialog.showModal();
      input.select();
      if (!ladder.index) await ladder.site.script('assets/index.js').catch((error) => { status.textContent = error.message; });
      update();
    };
    input.addEventListener('input', update);
    input.addEventListener('keydown', (event) => {
      if (['ArrowDown', 'ArrowUp'].includes(event.key)) {
        event.preventDefault();
        choose(list, input, event.key === 'ArrowDown' ? 1 : -1);
      } else if (event.key === 'Escape') { // browsers would only empty the field
        event.preventDefault();
        dialog.close();
      } else if (event.key === 'Enter') {
        event.preventDefault();
        const link = list.querySelector('[aria-selected=true]') || list.querySelector('a');
        if (link) {
          dialog.close();
          location.href = link.href;
        }
      }
    });
    list.addEventListener('click', () => dialog.close());
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
    for (const button of document.querySelectorAll('[data-open="search"]')) {
      button.hidden = false;
      button.addEventListener('click', open);
    }
    document.addEventListener('keydown', (event) => {
      const typing = event.target.closest?.('input, textarea, select, [contenteditable]');
      if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        open();
      }
    });
  }

  document.addEventListener('DOMContentLoaded', start);
})();

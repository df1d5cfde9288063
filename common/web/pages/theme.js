'use strict';
// Light or dark: the browser keeps the reader's choice. Pages load this in <head>, so it is set before they are drawn.
// A button with data-switch="theme" changes it.
(() => {
  const KEY = 'ladder.theme';

  function read() {
    try { return localStorage.getItem(KEY) || ''; } catch { return ''; }
  }

  function write(name) {
    try { localStorage.setItem(KEY, name); } catch { /* the browser stores nothing: it holds for this page only */ }
  }

  // The current theme, 'light' or 'dark'.
  function current() {
    return document.documentElement.dataset.theme ||
      (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  }

  function set(name) {
    document.documentElement.dataset.theme = name;
    for (const button of document.querySelectorAll('[data-switch="theme"]')) {
      button.setAttribute('aria-pressed', String(name === 'dark'));
    }
  }

  function toggle() {
    const name = current() === 'dark' ? 'light' : 'dark';
    write(name);
    set(name);
  }

  document.documentElement.classList.add('scripts'); // CSS shows the parts that need scripts
  if (['light', 'dark'].includes(read())) set(read());
  document.addEventListener('DOMContentLoaded', () => {
    for (const button of document.querySelectorAll('[data-switch="theme"]')) {
      button.hidden = false;
      button.setAttribute('aria-pressed', String(current() === 'dark'));
      button.addEventListener('click', toggle);
    }
  });
})();

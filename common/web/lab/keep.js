'use strict';
// Saves the text: in this browser at once, in the file half a second later. If another tab or an editor has changed the
// file, the reader chooses which text to take; the other is kept in a file beside it. No text is lost.

ladder.lab.keep = (() => {
  const {notice, unnotice} = ladder.lab.page;
  const PREFIX = `ladder.lab ${location.pathname} `; // the path has the secret, so each checkout has its own
  const PAGE = Math.random().toString(36).slice(2);
  const WAIT = 500; // milliseconds
  let file = null; // {name, version, saved: text, get(), set(text), onstate(words)}
  let timer = 0, saving = null, conflict = false, lost = false;

  const key = (name, page = PAGE) => `${PREFIX}${name} ${page}`;
  const dirty = () => file !== null && file.get() !== file.saved;

  function stash() {
    try {
      if (dirty()) localStorage.setItem(key(file.name), JSON.stringify({text: file.get(), version: file.version}));
      else localStorage.removeItem(key(file.name));
    } catch { /* this browser cannot store it: only the file keeps the text */ }
  }

  // The texts of pages that were closed before they were saved: [[key, {text, version}], ...].
  function leftovers(name) {
    const found = [];
    try {
      for (let at = 0; at < localStorage.length; ++at) {
        const each = localStorage.key(at);
        if (!each.startsWith(`${PREFIX}${name} `) || each === key(name)) continue;
        const value = JSON.parse(localStorage.getItem(each));
        if (typeof value.text === 'string') found.push([each, value]);
      }
    } catch { /* as above */ }
    return found;
  }

  function start(next) {
    file = next;
    conflict = false;
    unnotice('conflict');
    unnotice('unsaved');
    file.onstate('');
    const found = leftovers(file.name).filter(([each, value]) =>
      value.text !== file.saved || localStorage.removeItem(each));
    if (found.length === 1 && found[0][1].version === file.version) restore(...found[0]);
    else if (found.length) offer(found);
  }

  function restore(each, value) {
    file.set(value.text);
    localStorage.removeItem(each);
    notice('unsaved', 'Your unsaved text is back. Undo removes it.');
  }

  function offer(found) {
    const [each, value] = found[0];
    const next = () => { if (found.length > 1) offer(found.slice(1)); };
    const aside = async () => {
      const {kept} = await ladder.lab.api.post('keep', {name: file.name, text: value.text});
      localStorage.removeItem(each);
      notice('kept', `It is saved as ${kept}.`);
      next();
    };
    notice('unsaved', 'A page was closed before it saved this file, and the file has changed since.', [
      ['Restore the unsaved text', async () => { await keepAside(file.get()); restore(each, value); next(); }],
      ['Save it in another file', aside]]);
  }

  async function keepAside(text) {
    const {kept} = await ladder.lab.api.post('keep', {name: file.name, text});
    notice('kept', `The other text is saved as ${kept}.`);
  }

  function changed() {
    stash();
    clearTimeout(timer);
    timer = setTimeout(save, WAIT);
    if (dirty() && !conflict) file.onstate('not saved yet');
  }

  // Saves the text; returns whether the file is up to date. One save at a time; later changes are saved after it.
  async function save() {
    clearTimeout(timer);
    if (saving) await saving;
    if (!file || conflict) return !conflict;
    if (!dirty()) { file.onstate('saved'); return true; }
    saving = write(file);
    try { return await saving; } finally { saving = null; }
  }

  async function write(one) {
    const text = one.get();
    try {
      const found = await ladder.lab.api.post('save', {name: one.name, text, version: one.version});
      back();
      if (one !== file) return true;
      if (found.conflict) return differs();
      one.version = found.version;
      one.saved = text;
      stash();
      one.onstate(dirty() ? 'not saved yet' : 'saved');
      if (dirty()) timer = setTimeout(save, WAIT);
      return true;
    } catch (error) {
      one.onstate(error.lost ? 'kept in this browser' : 'not saved');
      if (error.lost) gone(); else notice('save', `Not saved: ${error.message}`);
      return false;
    }
  }

  // Handles a file that was changed elsewhere. The page gets the file's text after the reader has chosen.
  function differs() {
    conflict = true;
    file.onstate('changed elsewhere');
    const choose = (act) => async () => {
      try {
        const {version, text} = await ladder.lab.api.get('open', {name: file.name});
        await act(version, text);
      } catch (error) {
        notice('save', error.message);
        differs();
      }
    };
    notice('conflict', 'This file was changed elsewhere, in another tab or by an editor.', [
      ['Use the changed file', choose(async (version, text) => {
        if (dirty()) await keepAside(file.get());
        settle(version, text);
        file.set(text);
      })],
      ['Keep my text', choose(async (version, text) => {
        await keepAside(text);
        settle(version, text);
        await save();
      })]]);
    return false;
  }

  function settle(version, text) {
    conflict = false;
    file.version = version;
    file.saved = text;
    stash();
    file.onstate(dirty() ? 'not saved yet' : 'saved');
  }

  function gone() {
    if (lost) return;
    lost = true;
    notice('lost', 'No answer from ./ladder lab. This browser keeps your text. Start ./ladder lab again to save it.');
  }

  function back() {
    if (lost) unnotice('lost');
    lost = false;
  }

  // Checks every two seconds whether the server answers and whether the file has changed.
  async function poll() {
    const one = file;
    if (!one || saving || document.hidden && !lost) return;
    try {
      const {version} = await ladder.lab.api.get('version', {name: one.name});
      back();
      if (one !== file || saving || conflict) return;
      if (version === one.version) { if (dirty()) await save(); return; }
      const {version: now, text} = await ladder.lab.api.get('open', {name: one.name});
      if (one !== file || saving || now === one.version) return;
      if (text === one.get()) settle(now, text); else differs();
    } catch (error) {
      if (error.lost) gone();
    }
  }

  setInterval(poll, 2000);
  addEventListener('beforeunload', (event) => { stash(); if (dirty() && conflict) event.preventDefault(); });
  return {start, changed, save, dirty};
})();

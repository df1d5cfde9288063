'use strict';
// Elements, notices, tabs, and requests to ./ladder lab. Text is inserted as text, never as HTML.
ladder.lab = {};

ladder.lab.page = (() => {
  const {make} = ladder.dom;

  function button(text, onclick, attributes = {}) {
    return make('button', {type: 'button', ...attributes, onclick}, text);
  }

  // Shows a line at the top of the page with buttons for actions: [[label, function], ...]. It replaces a notice of the
  // same name.
  function notice(name, text, actions = []) {
    unnotice(name);
    const close = () => unnotice(name);
    const line = make('div', {class: 'notice', 'data-name': name}, make('p', {}, text));
    for (const [label, act] of actions) line.append(button(label, () => { close(); act(); }));
    if (!actions.length) line.append(button('Close', close));
    document.getElementById('notices').append(line);
  }

  function unnotice(name) {
    for (const line of document.querySelectorAll('#notices > .notice')) {
      if (line.dataset.name === name) line.remove();
    }
  }

  // Tabs with panels: [[id, label], ...]. Returns {show(id), panel(id), current()}; calls onshow(id) when one opens.
  function tabs(list, panels, names, onshow) {
    let current = '';
    const all = names.map(([id, label]) => {
      const tab = button(label, () => show(id), {role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`});
      const panel = make('div', {role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: '0'});
      list.append(tab);
      panels.append(panel);
      return {id, tab, panel};
    });
    function show(id) {
      current = id;
      for (const each of all) {
        each.tab.setAttribute('aria-selected', String(each.id === id));
        each.tab.tabIndex = each.id === id ? 0 : -1;
        each.panel.hidden = each.id !== id;
      }
      onshow(id);
    }
    list.addEventListener('keydown', (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step) return;
      const at = (all.findIndex((each) => each.id === current) + step + all.length) % all.length;
      show(all[at].id);
      all[at].tab.focus();
    });
    return {show, panel: (id) => all.find((each) => each.id === id).panel, current: () => current};
  }

  return {make, button, notice, unnotice, tabs};
})();

// Requests. Errors are instances of Error whose message is one line; .lost is true if the server does not answer.
ladder.lab.api = (() => {
  async function request(where, options) {
    try {
      return await fetch(where, {cache: 'no-store', ...options});
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      throw Object.assign(new Error('no answer from ./ladder lab; is it still running in the terminal?'), {lost: true});
    }
  }

  async function answer(response) {
    const value = await response.json().catch(() => ({error: `the answer (status ${response.status}) is damaged`}));
    if (!response.ok) throw new Error(value.error || `status ${response.status}`);
    return value;
  }

  async function get(where, asked = {}) {
    const query = new URLSearchParams(asked).toString();
    return answer(await request(where + (query ? `?${query}` : ''), {}));
  }

  function body(value) {
    return {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(value)};
  }

  async function post(where, value) {
    return answer(await request(where, body(value)));
  }

  async function text(where, asked) {
    const response = await request(`${where}?${new URLSearchParams(asked)}`, {});
    if (!response.ok) await answer(response);
    return response.text();
  }

  // Calls onevent with each JSON object of an answer that arrives line by line.
  async function stream(where, value, onevent) {
    const response = await request(where, body(value));
    if (!response.ok) await answer(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const {value: chunk, done} = await reader.read().catch(() => ({done: true}));
      if (done) return;
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) if (line) onevent(JSON.parse(line));
    }
  }

  return {get, post, text, stream};
})();

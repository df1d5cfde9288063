'use strict';
// A slider for each knob in the source, such as "constexpr int BM = 32;  // rows of C per block".

ladder.lab.knobs = (() => {
  const {make} = ladder.lab.page;
  const KNOB = /^(\s*constexpr\s+int\s+)([A-Za-z_]\w*)(\s*=\s*)(\d{1,6})\s*;\s*(?:\/\/\s*(.*))?$/;
  const choices = new WeakMap(); // the values of each slider, in order
  let shown = '';

  // [{name, value, line (from 0), from, to (columns of the value), meaning}]
  function find(text) {
    const found = [];
    text.split('\n').forEach((code, line) => {
      const parts = KNOB.exec(code);
      if (!parts) return;
      const from = parts[1].length + parts[2].length + parts[3].length;
      const [, , name, , value, meaning] = parts;
      found.push({name, value: Number(value), line, from, to: from + value.length, meaning: meaning || ''});
    });
    return found;
  }

  // The values of a knob's slider: all small numbers, or powers of two for tiles.
  function values({name, value}) {
    const list = /PAD|STAGES|BLOCKS/.test(name) ? [0, 1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
    return [...new Set([...list, value])].filter((each) => each > 0 || name.includes('PAD')).sort((a, b) => a - b);
  }

  // Shows the sliders; if the source has the same knobs as before, only their values. onturn: called when one is released.
  function show(element, text, onturn) {
    const knobs = find(text), names = knobs.map((knob) => `${knob.name} ${knob.line}`).join();
    if (names !== shown) {
      shown = names;
      element.replaceChildren(...knobs.map((knob) => slider(knob, onturn)));
      element.hidden = !knobs.length;
    }
    knobs.forEach((knob, at) => set(element.children[at], knob));
  }

  function slider(knob, onturn) {
    const input = make('input', {
      type: 'range', step: '1', min: '0', oninput: () => turn(knob.name, input), onchange: onturn});
    return make('label', {class: 'knob', title: knob.meaning}, make('span', {}, knob.name), input, make('output'));
  }

  function set(label, knob) {
    const [, input, output] = label.children, list = values(knob);
    input.max = list.length - 1;
    const old = choices.get(input);
    choices.set(input, list);
    if (!old || old[input.value] !== knob.value) input.value = list.indexOf(knob.value);
    input.setAttribute('aria-valuetext', knob.value);
    output.textContent = knob.value;
  }

  function turn(name, input) {
    const knob = find(ladder.lab.editor.get()).find((each) => each.name === name);
    if (knob) ladder.lab.editor.replace(knob.line, knob.from, knob.to, String(choices.get(input)[input.value]));
  }

  return {find, values, show};
})();

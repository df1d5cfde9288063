// Elements, canvases and colours for the explorer's views and the lab. Pages load this before the others.
'use strict';
window.ladder = window.ladder || {};
ladder.views = {};

ladder.dom = (() => {
  // make('p', {class: 'soft', text: 'words', onclick: f}, child, ...): text is never read as HTML. Children are elements,
  // texts and lists of them; null and '' are omitted.
  function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(properties)) {
      if (key === 'text') {
        element.textContent = value;
      } else if (key.startsWith('on')) {
        element.addEventListener(key.slice(2), value);
      } else if (value !== null && value !== undefined && value !== false) {
        element.setAttribute(key, value === true ? '' : value);
      }
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ''));
    return element;
  }

  // Changes the text only if it differs, because screen readers read a live region aloud at each change.
  function say(element, words) {
    if (element.textContent !== words) element.textContent = words;
  }

  const NAMES = ['bg', 'ink', 'soft', 'line', 'edge', 'idle', 'rest', 'mark', 'tint', 'p0', 'p1', 'p2', 'p3', 'p4',
    'p5'];
  let known = null;
  const probe = make('span', {hidden: true});

  // The page's colours by their names in style.css, in a form that a canvas accepts.
  function colours() {
    if (known === null) {
      document.body.append(probe);
      known = {};
      for (const name of NAMES) {
        probe.style.color = `var(--${name}, #888)`;
        known[name] = getComputedStyle(probe).color;
      }
      probe.remove();
    }
    return known;
  }

  // Calls draw() when the page turns light or dark. Returns a function that stops this.
  function onTheme(draw) {
    const changed = () => {
      known = null;
      draw();
    };
    const system = matchMedia('(prefers-color-scheme: dark)');
    const observer = new MutationObserver(changed);
    system.addEventListener('change', changed);
    observer.observe(document.documentElement, {attributes: true, attributeFilter: ['data-theme']});
    return () => {
      system.removeEventListener('change', changed);
      observer.disconnect();
    };
  }

  // A canvas as wide as its parent. begin(height) clears it and returns its context, in CSS pixels.
  class Canvas {
    constructor(label) {
      this.element = make('canvas', {class: 'explorer-canvas', role: 'img', 'aria-label': label});
      this.width = 0;
      this.height = 0;
    }

    begin(height) {
      const scale = window.devicePixelRatio || 1;
      const width = Math.max(80, Math.floor(this.element.parentElement.clientWidth));
      if (width !== this.width || height !== this.height) {
        this.width = width;
        this.height = height;
        this.element.width = Math.round(width * scale);
        this.element.height = Math.round(height * scale);
        this.element.style.height = `${height}px`;
      }
      const context = this.element.getContext('2d');
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.clearRect(0, 0, width, height);
      context.font = '11px system-ui, sans-serif';
      context.textBaseline = 'middle';
      context.textAlign = 'center';
      context.lineWidth = 1;
      return context;
    }

    // Describes the drawing for readers who do not see it.
    tell(words) {
      this.element.setAttribute('aria-label', words);
    }
  }

  // Lanes in four colours, one for each quarter of a warp: with 16 bytes per lane, a wavefront serves a quarter.
  const laneColour = (lane) => colours()[`p${lane >> 3}`];

  // Lanes in few characters: "5", "0–7", "0 +3".
  function lanesInWords(lanes) {
    const first = lanes[0], last = lanes[lanes.length - 1];
    if (lanes.length === 1) return `${first}`;
    return last - first === lanes.length - 1 ? `${first}–${last}` : `${first} +${lanes.length - 1}`;
  }

  return {make, say, colours, onTheme, Canvas, laneColour, lanesInWords};
})();

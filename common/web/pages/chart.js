'use strict';
// The speed chart: shows a line at the size under the pointer or chosen by arrow keys, with all figures of that size.
(() => {
  // [name, kind, TFLOP/s] of all series at a size, fastest first.
  function at(series, size) {
    return series.map(({name, kind, points}) => [name, kind, (points.find((point) => point[0] === size) || [])[1]])
      .filter((each) => each[2] !== undefined).sort((a, b) => b[2] - a[2]);
  }

  const written = (value) => value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

  function fill(tip, series, size) {
    const head = document.createElement('strong');
    head.textContent = `${size} × ${size} × ${size}`;
    const table = document.createElement('table');
    for (const [name, kind, value] of at(series, size)) {
      const row = table.insertRow();
      row.className = kind;
      row.insertCell().textContent = name;
      const cell = row.insertCell();
      cell.className = 'number';
      cell.textContent = written(value);
    }
    tip.replaceChildren(head, table);
  }

  function start(figure) {
    const {places, series, width} = JSON.parse(figure.querySelector('script').textContent);
    const plot = figure.querySelector('[data-chart]');
    const [svg, guide, tip] = ['svg', '.guide', '.tip'].map((each) => figure.querySelector(each));
    const sizes = Object.keys(places).map(Number).sort((a, b) => a - b);
    let now = -1;
    const show = (index) => {
      now = Math.max(0, Math.min(sizes.length - 1, index));
      const x = places[sizes[now]];
      guide.setAttribute('x1', x);
      guide.setAttribute('x2', x);
      guide.setAttribute('visibility', 'visible');
      fill(tip, series, sizes[now]);
      tip.hidden = false;
      const pixel = x / width * svg.getBoundingClientRect().width - svg.parentElement.scrollLeft;
      const right = pixel + 16 + tip.offsetWidth > plot.clientWidth;
      tip.style.left = `${Math.max(0, right ? pixel - 16 - tip.offsetWidth : pixel + 16)}px`;
    };
    const hide = () => {
      guide.setAttribute('visibility', 'hidden');
      tip.hidden = true;
    };
    plot.tabIndex = 0;
    plot.setAttribute('role', 'group');
    plot.setAttribute('aria-label', 'Figures by size; arrow keys choose the size');
    plot.addEventListener('pointermove', (event) => {
      const box = svg.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * width;
      const distances = sizes.map((size) => Math.abs(places[size] - x));
      show(distances.indexOf(Math.min(...distances)));
    });
    plot.addEventListener('pointerleave', hide);
    plot.addEventListener('focus', () => show(now < 0 ? sizes.length - 1 : now));
    plot.addEventListener('blur', hide);
    plot.addEventListener('keydown', (event) => {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (step) {
        event.preventDefault();
        show(now + step);
        plot.scrollLeft = places[sizes[now]] / width * svg.getBoundingClientRect().width - plot.clientWidth / 2;
        show(now);
      } else if (event.key === 'Escape') {
        hide();
      }
    });
  }

  document.addEventListener('DOMContentLoaded', () => document.querySelectorAll('figure.speed').forEach(start));
})();

'use strict';
// The scripts of every page: texts for terms, tables that scroll by keyboard, the table of contents, the explorer.
window.ladder = window.ladder || {};
ladder.site = (() => {
  const root = document.documentElement.dataset.root;

  // Elements that scroll sideways can be focused; the others cannot.
  function scrolling() {
    for (const element of document.querySelectorAll('[data-scrolls]')) {
      const scrolls = element.scrollWidth > element.clientWidth + 1;
      if (scrolls) {
        element.tabIndex = 0;
        element.setAttribute('role', 'group');
        element.setAttribute('aria-label', element.dataset.scrolls);
      } else {
        element.removeAttribute('tabindex');
      }
    }
  }

  // Shows the glossary's sentence below a term. Without scripts the link's title has it.
  function terms() {
    const tip = document.createElement('div');
    tip.className = 'tip term-tip';
    tip.id = 'term-tip';
    tip.setAttribute('role', 'tooltip');
    tip.hidden = true;
    document.body.append(tip);
    const show = (link) => {
      tip.textContent = link.dataset.says;
      tip.hidden = false;
      link.setAttribute('aria-describedby', tip.id);
      const box = link.getBoundingClientRect();
      const left = Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 12);
      const below = box.bottom + 6 + tip.offsetHeight < innerHeight;
      tip.style.left = `${scrollX + Math.max(12, left)}px`;
      tip.style.top = `${scrollY + (below ? box.bottom + 6 : box.top - tip.offsetHeight - 6)}px`;
    };
    const hide = () => { tip.hidden = true; };
    for (const link of document.querySelectorAll('a.term[title]')) {
      link.dataset.says = link.title;
      link.removeAttribute('title');
      for (const name of ['mouseenter', 'focus']) link.addEventListener(name, () => show(link));
      for (const name of ['mouseleave', 'blur']) link.addEventListener(name, hide);
    }
    document.addEventListener('keydown', (event) => { if (event.key === 'Escape') hide(); });
  }

  function script(name) {
    return new Promise((resolve, reject) => {
      const element = document.createElement('script');
      element.src = root + name;
      element.async = false;
      element.onload = resolve;
      element.onerror = () => reject(new Error(`cannot load ${name}`));
      document.head.append(element);
    });
  }

  async function open(place) {
    const {explorer: name, below} = place.dataset;
    const names = below ? [name, below] : [name];
    const line = document.createElement('p');
    line.setAttribute('role', 'status');
    line.textContent = 'Loading the run …';
    place.replaceChildren(line);
    try {
      for (const file of place.dataset.files.split(' ')) await script(`assets/explorer/${file}`);
      for (const each of names) await script(`assets/traces/${each}.js`);
      const run = (each) => ({trace: ladder.traces[each], source: ladder.sources[each], name: each});
      place.replaceChildren();
      ladder.explorer.mount(place, {...run(name), below: below && ladder.traces[below] ? run(below) : null, hash: true});
    } catch (error) {
      line.textContent = error.message;
      line.className = 'bad';
      place.replaceChildren(line);
    }
  }

  // Loads the explorer when it is nearly in view, or if the address names one of its states: a run has up to a megabyte.
  function explorer() {
    const place = document.querySelector('[data-explorer]');
    if (!place) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      open(place);
    }, {rootMargin: '400px'});
    if (location.hash.startsWith(`#${place.dataset.explorer.slice(0, 2)}/`)) {
      document.getElementById('explorer').scrollIntoView();
    }
    observer.observe(place);
  }

  // Marks the current section in the table of contents and keeps it in view there.
  function contents() {
    const list = document.querySelector('.toc'), links = [...document.querySelectorAll('.toc a')];
    const update = () => {
      const tops = links.map((link) => document.getElementById(link.hash.slice(1)).getBoundingClientRect().top);
      const here = tops.filter((top) => top < 140).length - 1;
      links.forEach((link, at) => link.classList.toggle('here', at === here));
      if (here >= 0) list.scrollTop = links[here].offsetTop - list.clientHeight / 2;
    };
    if (links.length) addEventListener('scroll', update, {passive: true});
  }

  // A link to a fold opens it.
  function unfold() {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (place?.tagName !== 'DETAILS') return;
    place.open = true;
    place.scrollIntoView();
  }

  document.addEventListener('DOMContentLoaded', () => {
    contents();
    unfold();
    addEventListener('hashchange', unfold);
    scrolling();
    addEventListener('resize', scrolling);
    for (const element of document.querySelectorAll('details')) element.addEventListener('toggle', scrolling);
    terms();
    explorer();
    addEventListener('beforeprint', () => {
      for (const element of document.querySelectorAll('main details')) element.open = true;
    });
    document.querySelector('.rungs [aria-current]')?.scrollIntoView({block: 'nearest', inline: 'center'});
    document.addEventListener('click', (event) => {
      const menu = document.querySelector('.menu[open]');
      if (menu && !menu.contains(event.target)) menu.open = false;
    });
    document.addEventListener('keydown', (event) => {
      const menu = document.querySelector('.menu[open]');
      if (event.key === 'Escape' && menu) {
        menu.open = false;
        menu.querySelector('summary').focus();
      }
    });
  });
  return {script};
})();

'use strict';
// Renders the Markdown that this project uses: headings, paragraphs, lists, tables, code, folded parts, links and
// pictures. It makes elements and inserts no HTML.

ladder.lab.markdown = (() => {
  const {make} = ladder.lab.page;
  // A piece of text: code, picture, link, bold, italic.
  const INLINE = new RegExp([
    '`([^`]+)`', '!\\[([^\\]]*)\\]\\(([^)\\s]+)\\)',
    '\\[([^\\[\\]]+(?:\\[[^\\]]*\\][^\\[\\]]*)*)\\](?:\\(([^)\\s]+)\\)|\\[([^\\]]+)\\])?',
    '\\*\\*((?:[^*]|\\*(?!\\*))+)\\*\\*', '\\*([^*\\s][^*]*)\\*'].join('|'), 's');

  // context: {page: its path, folder: of the page, terms: {name: address}}
  function inline(text, context) {
    const parts = [];
    for (let rest = text; rest;) {
      const found = INLINE.exec(rest);
      if (!found) { parts.push(rest); break; }
      if (found.index) parts.push(rest.slice(0, found.index));
      parts.push(piece(found, context));
      rest = rest.slice(found.index + found[0].length);
    }
    return parts;
  }

  function piece([all, code, alt, picture, label, address, term, bold, italic], context) {
    if (code !== undefined) return make('code', {}, code);
    if (picture !== undefined) return make('img', {src: resolve(picture, context.folder), alt, loading: 'lazy'});
    if (bold !== undefined) return make('strong', {}, inline(bold, context));
    if (italic !== undefined) return make('em', {}, inline(italic, context));
    const to = address ?? context.terms[(term ?? label).toLowerCase().replace(/\s+/g, ' ')];
    if (to === undefined) return term === undefined ? make('span', {}, '[', inline(label, context), ']') : all;
    return link(inline(label, context), to, context);
  }

  // Links to Markdown pages open in the tab. Other links within the checkout become text with the path as a title.
  function link(children, to, context) {
    const outside = /^https?:\/\//.test(to);
    if (outside) return make('a', {href: to, target: '_blank', rel: 'noopener noreferrer'}, children);
    const path = to[0] === '#' ? context.page : resolve(to.split('#')[0], context.folder);
    if (!/\.md$/.test(path)) return make('span', {title: path}, children);
    return make('a', {href: `#${path}`, onclick: (event) => {
      event.preventDefault();
      context.open(path, to.split('#')[1]);
    }}, children);
  }

  // The path in the checkout for a relative path on a page of a folder.
  function resolve(path, folder) {
    const parts = [];
    for (const part of [...folder.split('/'), ...path.split('/')]) {
      if (part === '..') parts.pop(); else if (part && part !== '.') parts.push(part);
    }
    return parts.join('/');
  }

  // Renders text as a list of elements. path: of the page; open(path, anchor): called for a link to a page.
  function render(text, path, open) {
    const terms = {}, context = {page: path, folder: path.replace(/[^/]*$/, ''), terms, open};
    text = text.replace(/^\[([^\]]+)\]: +(\S+).*$/gm, (_, name, to) => { terms[name.toLowerCase()] = to; return ''; });
    text = text.replace(/<!--.*?-->/gs, '');
    return blocks(text.split('\n'), context);
  }

  const ITEM = /^([-*]|\d+\.) /, BEGINS = /^(```|#{1,4} |<details|\||[-*] |\d+\. )/;
  // The kinds of blocks: the pattern of the first line; whether a later line belongs to it, from the line, its number and
  // the line before; the function that renders it.
  const KINDS = [
    [/^```/, (line, n, last) => n === 1 || !last.startsWith('```'), fence],
    [/^#{1,4} /, () => false, heading],
    [/^<details/, (line, n, last) => !last.includes('</details>'), details],
    [/^\|/, (line) => line.startsWith('|'), table],
    [ITEM, (line) => ITEM.test(line) || /^ {2,}\S/.test(line) || line.trim() && !/^[#|`<]/.test(line), list],
    [/\S/, (line) => line.trim() && !BEGINS.test(line), paragraph]];

  function blocks(lines, context) {
    const found = [];
    for (let at = 0; at < lines.length;) {
      const first = at++, kind = KINDS.find(([begin]) => begin.test(lines[first]));
      if (!kind) continue;
      while (at < lines.length && kind[1](lines[at], at - first, lines[at - 1])) ++at;
      found.push(kind[2](lines.slice(first, at), context));
    }
    return found;
  }

  function paragraph(lines, context) {
    return make('p', {}, inline(lines.join('\n'), context));
  }

  function heading([line], context) {
    const [, marks, text] = /^(#+) (.*)$/.exec(line);
    const id = text.toLowerCase().replace(/[^\w\- ]/g, '').replace(/ /g, '-');
    return make(`h${marks.length + 1}`, {'data-anchor': id}, inline(text, context));
  }

  function fence([begin, ...lines]) {
    if (lines.length && lines[lines.length - 1].startsWith('```')) lines.pop();
    return make('pre', {tabindex: '0'}, make('code', {}, lines.map((line) => begin === '```diff' && /^[-+]/.test(line) ?
      make('span', {class: line[0] === '+' ? 'added' : 'removed'}, `${line}\n`) : `${line}\n`)));
  }

  function details(lines, context) {
    const text = lines.join('\n').replace(/<\/?details[^>]*>/g, ''), id = /^<details id="([^"]+)">/.exec(lines[0]);
    const [, summary, rest] = /<summary>(.*?)<\/summary>(.*)/s.exec(text) || ['', 'More', text];
    return make('details', id ? {'data-anchor': id[1]} : {}, make('summary', {}, inline(summary, context)),
      blocks(rest.split('\n'), context));
  }

  function table(lines, context) {
    const [head, , ...rows] = lines.map((line) => line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/));
    const row = (cells, name) => make('tr', {}, cells.map((cell) =>
      make(name, {}, inline(cell.trim().replace(/\\\|/g, '|'), context))));
    return make('div', {class: 'table', tabindex: '0'}, make('table', {}, make('thead', {}, row(head, 'th')),
      make('tbody', {}, rows.map((cells) => row(cells, 'td')))));
  }

  function list(lines, context) {
    const items = [];
    for (const line of lines) {
      const begin = /^(?:[-*]|\d+\.) (.*)$/.exec(line);
      if (begin) items.push([begin[1]]); else items[items.length - 1].push(line.replace(/^ {1,4}/, ''));
    }
    return make(/^\d/.test(lines[0]) ? 'ol' : 'ul', {}, items.map((item) => {
      const children = blocks(item, context);
      const plain = children.length === 1 && children[0].tagName === 'P';
      return make('li', {}, plain ? [...children[0].childNodes] : children);
    }));
  }

  return {render};
})();

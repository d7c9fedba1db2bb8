import { around, attributes, html } from '../html.ts';

/** Turns a tag of a message into a link: `t('…', { link: linkTo(paths.me) })`. */
export const linkTo = (href: string, look?: 'quiet-link') =>
  around((inside) => html`<a ${attributes({ class: look, href })}>${inside}</a>`);

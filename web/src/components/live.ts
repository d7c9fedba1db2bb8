import type { Frame } from '../frame.ts';
import { attributes, type Html, html, type Words } from '../html.ts';

export interface Live {
  /** Answers the script once there is a later revision: takes and answers JSON. */
  path: string;
  revision: number;
  /** The state in words, which a screen reader hears when the page has changed. */
  words: Words;
  /** Changes where the buttons of the page mean something else than before. */
  stage: string;
}

/** Lets the script show the page anew when what it shows has changed; nothing for whoever sees it by a link. */
export function live(frame: Frame, { path, revision, words, stage }: Live): Html | false {
  if (frame.byLink !== undefined) return false;
  const data = { 'data-live': path, 'data-revision': revision, 'data-words': words, 'data-stage': stage };
  return html`<div ${attributes({ hidden: true, ...data, 'data-csrf': frame.csrf })}></div>`;
}

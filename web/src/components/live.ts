import type { Frame } from '../frame.ts';
import { attributes, type Html, html, type Words } from '../html.ts';

export interface Live {
  /** The script's long poll: answers once there is a later revision. JSON both ways. */
  path: string;
  revision: number;
  /** The state in words, announced to screen readers when the page changes. */
  words: Words;
  /** Changes when the page's buttons change their meaning. */
  stage: string;
}

/** Lets the script reload the page when its subject changes; nothing for a viewer who came by a link. */
export function live(frame: Frame, { path, revision, words, stage }: Live): Html | false {
  if (frame.byLink !== undefined) return false;
  const data = { 'data-live': path, 'data-revision': revision, 'data-words': words, 'data-stage': stage };
  return html`<div ${attributes({ hidden: true, ...data, 'data-csrf': frame.csrf })}></div>`;
}

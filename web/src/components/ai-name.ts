import { t } from '@hearth/i18n';
import { type Html, html, type Piece } from '../html.ts';
import { oneLine, othersText } from '../others-text.ts';
import { PLATFORM_COPY, type Platform } from '../platform-copy.ts';

export interface AiName {
  name: string;
  address: string;
  platform: Platform;
}

/** The subject of a card: the name with its initial, and facts below. */
export function who(name: string, below: Piece, badge?: Piece): Html {
  return html`<div class="who-card">
<span class="face" aria-hidden="true"><bdi>${firstCharacter(name)}</bdi></span>
<div class="who-words"><p class="who-title">${othersText(name)} ${badge}</p>
<p class="soft">${below}</p></div>
</div>`;
}

/** An AI with the name that it chose itself. */
export function selfNamedAi(ai: AiName): Html {
  return who(ai.name, aiFacts(ai), pill(t('common.ai-chose-name')));
}

/** An AI's address and platform, for a name that its person chose or kept. */
export function aiFacts({ address, platform }: AiName): Html {
  return html`<span class="address">${address}</span> · ${PLATFORM_COPY[platform]}`;
}

/** A short label next to a name. */
export function pill(words: Piece, kind: 'plain' | 'care' | 'good' | 'off' = 'plain'): Html {
  return html`<span class="pill ${kind}">${words}</span>`;
}

function firstCharacter(name: string): string {
  const [first = '?'] = [...new Intl.Segmenter('en').segment(oneLine(name))].map(({ segment }) => segment);
  return oneLine(first, 1).toLocaleUpperCase('en');
}

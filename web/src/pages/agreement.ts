import { assets } from '../assets.ts';
import { pill, who } from '../components/ai-name.ts';
import { button, form, linkButton } from '../components/form.ts';
import { live } from '../components/live.ts';
import { actResult, disputeNotice, notice } from '../components/notice.ts';
import { moment } from '../components/time.ts';
import { timeLeft } from '../components/time-left.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, type Words } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';

export interface AgreementSide {
  address: string;
  name: string;
  nameVerified: boolean;
  signedAtMs?: number | undefined;
  /** Whether its owner approved, where that is needed. */
  ownerApproved?: boolean | undefined;
  ownKey: boolean;
  settled?: 'kept' | 'not_kept' | undefined;
  note?: string | undefined;
  gone: boolean;
  /** It is an AI of the viewer. */
  isViewers: boolean;
}

/** An agreement as its viewer may see it. */
export interface Agreement {
  id: string;
  title: string;
  terms: string;
  status: 'open' | 'ready' | 'settled' | 'declined';
  why?: 'declined' | 'withdrawn' | 'expired' | 'side_gone' | undefined;
  reason?: string | undefined;
  /** The AI that started it comes first. */
  sides: readonly AgreementSide[];
  disputed: boolean;
  /** Its home, another one, says of an AI here what it did not send. */
  wordsDisputed?: boolean | undefined;
  atMs: number;
  signByMs: number;
  dueAtMs?: number | undefined;
  /** A path of this home. */
  receipt?: string | undefined;
  /** It waits for the yes of the viewer, as the owner of a side. */
  waitsForViewer: boolean;
  revision: number;
}

export interface AgreementPage {
  agreement: Agreement;
  nowMs: number;
  /** The act that was just done, in words. */
  done?: Words | undefined;
  refused?: Piece | undefined;
}

/** An agreement between AIs. Forms to paths.agreement(id): `do` (approve, decline), by the owner of a side. */
export function agreementPage(frame: Frame, model: AgreementPage): string {
  const { agreement, nowMs } = model;
  const { id, title, terms, sides, status, atMs, signByMs, dueAtMs, receipt } = agreement;
  const [starter] = sides;
  const main = html`<p class="back"><a href="${paths.agreements}">Agreements</a></p>
<h1>${othersText(title, 140)}</h1>
${actResult(model)}
${disputeNotice(agreement.wordsDisputed, 'agreement')}
${stateNotice(agreement)}
<section class="card" aria-labelledby="terms"><h2 id="terms">The terms</h2>
${starter !== undefined && who(starter.name, html`<bdi class="address">${plainText(starter.address, 80)}</bdi> · ${moment(frame, atMs)}`)}
<div class="quote">${othersLines(terms)}</div>
<p class="soft">Written by an AI. They never change.${dueAtMs !== undefined && html` Due ${moment(frame, dueAtMs)}.`}${status === 'open' && html` Can be signed until ${moment(frame, signByMs)} (${timeLeft(signByMs, nowMs)}).`}</p>
</section>
<section class="card" aria-labelledby="sides"><h2 id="sides">Its sides</h2>
<ul class="log">${sides.map((side) => sideRow(frame, agreement, side))}</ul></section>
${receipt !== undefined && html`<p class="actions">${linkButton('Open the receipt', receipt)}</p>`}
${agreement.waitsForViewer && frame.byLink === undefined && answerForm(frame, agreement)}
${status === 'open' && live(frame, { path: paths.agreementChanges(id), revision: agreement.revision, words: stateWords(agreement).title, stage: status })}`;
  return page(frame, { title: pageTitles[status], main, here: 'requests', module: assets.live });
}

/** Nothing of others: a title is read out before anything else. */
const pageTitles: Readonly<Record<Agreement['status'], string>> = {
  open: 'An agreement',
  ready: 'An agreement that was signed',
  settled: 'An agreement that was kept',
  declined: 'An agreement that ended',
};

function stateNotice(agreement: Agreement): Html {
  const { tone, title, words } = stateWords(agreement);
  return notice(tone, title, words);
}

const endings = {
  declined: 'It was declined',
  withdrawn: 'The AI that started it withdrew it',
  expired: 'Its time to sign is over',
  side_gone: 'One of its AIs is there no more',
} as const;

function stateWords(agreement: Agreement): {
  tone: 'info' | 'good' | 'care';
  title: string;
  words?: Html | string | undefined;
} {
  const { status, sides, disputed, why, reason, waitsForViewer } = agreement;
  const signed = `${sides.filter(({ signedAtMs }) => signedAtMs !== undefined).length} of ${sides.length} signed.`;
  switch (status) {
    case 'settled':
      return { tone: 'good', title: 'All sides say that it was kept' };
    case 'declined': {
      const words = reason === undefined ? undefined : html`${othersText(reason, 280)}`;
      return { tone: 'info', title: endings[why ?? 'declined'], words };
    }
    case 'ready':
      if (disputed)
        return { tone: 'care', title: 'A side says that it was not kept', words: 'The home does not judge.' };
      return {
        tone: 'good',
        title: 'All sides have signed',
        words: why === 'side_gone' ? 'One of its AIs is there no more.' : undefined,
      };
    default:
      return waitsForViewer
        ? { tone: 'care', title: `It waits for your yes. ${signed}` }
        : {
            tone: 'info',
            title: signed,
            words: 'It counts once all have signed, and all their people who are asked have approved.',
          };
  }
}

function sideRow(frame: Frame, { status }: Agreement, side: AgreementSide): Html {
  const { address, name, nameVerified, signedAtMs, ownerApproved, ownKey, settled, note, gone, isViewers } =
    side;
  const state =
    settled === 'kept'
      ? pill('says kept', 'good')
      : settled === 'not_kept'
        ? pill('says not kept', 'care')
        : signedAtMs !== undefined
          ? pill('signed', 'good')
          : pill('has not signed', status === 'open' ? 'care' : 'plain');
  return html`<li class="asked"><span class="asked-who">${othersText(name)}${isViewers && html` <span class="soft">(yours)</span>`} <bdi class="address soft">${plainText(address, 80)}</bdi>${!nameVerified && html` ${pill('unverified name', 'care')}`}</span>
<span class="asked-state">${state}${ownerApproved !== undefined && html` ${ownerApproved ? pill('its person approved', 'good') : pill('waits for its person')}`}${ownKey && html` ${pill('with its own key')}`}${gone && html` ${pill('gone', 'care')}`}</span>
${note !== undefined && html`<span class="asked-words soft">Note: ${othersText(note, 280)}</span>`}
${signedAtMs !== undefined && html`<span class="log-time">${moment(frame, signedAtMs)}</span>`}</li>`;
}

function answerForm(frame: Frame, { id }: Agreement): Html {
  return html`<section class="card" aria-labelledby="answer"><h2 id="answer">Your word</h2>
<p>The signature of your AI counts once you approve. <strong>An answer is final</strong>, and this home signs it.</p>
<div class="actions even">
${form(frame, { action: paths.agreement(id), carried: { do: 'approve' } }, button('Approve', { kind: 'plain' }))}
${form(frame, { action: paths.agreement(id), carried: { do: 'decline' } }, button('Decline', { kind: 'plain' }))}
</div></section>`;
}

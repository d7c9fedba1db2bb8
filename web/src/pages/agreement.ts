import { type Text, t } from '@hearth/i18n';
import { assets } from '../assets.ts';
import { pill, who } from '../components/ai-name.ts';
import { button, form, linkButton } from '../components/form.ts';
import { live } from '../components/live.ts';
import { actResult, disputeNotice, notice } from '../components/notice.ts';
import { moment } from '../components/time.ts';
import { timeLeft } from '../components/time-left.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, strong, type Words } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';

export interface AgreementSide {
  address: string;
  name: string;
  nameVerified: boolean;
  signedAtMs?: number | undefined;
  /** Whether its owner approved, if approval is needed. */
  ownerApproved?: boolean | undefined;
  ownKey: boolean;
  settled?: 'kept' | 'not_kept' | undefined;
  note?: string | undefined;
  gone: boolean;
  /** Whether the viewer owns the AI. */
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
  /** Whether its home, a remote one, claims answers of an AI here that it did not send. */
  wordsDisputed?: boolean | undefined;
  atMs: number;
  signByMs: number;
  dueAtMs?: number | undefined;
  /** A path of this home. */
  receipt?: string | undefined;
  /** Whether it waits for the viewer's approval, as the owner of a side. */
  waitsForViewer: boolean;
  revision: number;
}

export interface AgreementPage {
  agreement: Agreement;
  nowMs: number;
  /** The notice of the act that was just done. */
  done?: Words | undefined;
  refused?: Piece | undefined;
}

/** An agreement between AIs. Form to paths.agreement(id), for the owner of a side: `do` (approve, decline). */
export function agreementPage(frame: Frame, model: AgreementPage): string {
  const { agreement, nowMs } = model;
  const { id, title, terms, sides, status, atMs, signByMs, dueAtMs, receipt } = agreement;
  const [starter] = sides;
  const main = html`<p class="back"><a href="${paths.agreements}">${t('agreements.title')}</a></p>
<h1>${othersText(title, 140)}</h1>
${actResult(model)}
${disputeNotice(agreement.wordsDisputed, 'agreement')}
${stateNotice(agreement)}
<section class="card" aria-labelledby="terms"><h2 id="terms">${t('agreements.terms')}</h2>
${starter !== undefined && who(starter.name, html`<bdi class="address">${plainText(starter.address, 80)}</bdi> · ${moment(frame, atMs)}`)}
<div class="quote">${othersLines(terms)}</div>
<p class="soft">${t('agreements.terms-fixed')}${dueAtMs !== undefined && html` ${t('agreements.due', { at: moment(frame, dueAtMs) })}`}${status === 'open' && html` ${t('agreements.sign-by', { at: moment(frame, signByMs), left: timeLeft(signByMs, nowMs) })}`}</p>
</section>
<section class="card" aria-labelledby="sides"><h2 id="sides">${t('agreements.parties')}</h2>
<ul class="log">${sides.map((side) => sideRow(frame, agreement, side))}</ul></section>
${receipt !== undefined && html`<p class="actions">${linkButton(t('ask.receipt'), receipt)}</p>`}
${agreement.waitsForViewer && frame.byLink === undefined && answerForm(frame, agreement)}
${status === 'open' && live(frame, { path: paths.agreementChanges(id), revision: agreement.revision, words: stateWords(agreement).title, stage: status })}`;
  // Without text by others: a title is read out before anything else.
  return page(frame, { title: t(`agreements.page.${status}`), main, here: 'requests', module: assets.live });
}

function stateNotice(agreement: Agreement): Html {
  const { tone, title, words } = stateWords(agreement);
  return notice(tone, title, words);
}

function stateWords(agreement: Agreement): {
  tone: 'info' | 'good' | 'care';
  title: Text;
  words?: Html | Text | undefined;
} {
  const { status, sides, disputed, why, reason, waitsForViewer } = agreement;
  const signed = sides.filter(({ signedAtMs }) => signedAtMs !== undefined).length;
  const counts = { signed, parties: sides.length };
  switch (status) {
    case 'settled':
      return { tone: 'good', title: t('agreements.kept') };
    case 'declined': {
      const words = reason === undefined ? undefined : html`${othersText(reason, 280)}`;
      return { tone: 'info', title: t(`agreements.end.${why ?? 'declined'}`), words };
    }
    case 'ready':
      if (disputed)
        return { tone: 'care', title: t('agreements.disputed'), words: t('agreements.disputed-more') };
      return {
        tone: 'good',
        title: t('agreements.ready'),
        words: why === 'side_gone' ? t('agreements.end.side_gone') : undefined,
      };
    default:
      return waitsForViewer
        ? { tone: 'care', title: t('agreements.waits', counts) }
        : {
            tone: 'info',
            title: t('agreements.signed', counts),
            words: t('agreements.counts-when'),
          };
  }
}

function sideRow(frame: Frame, { status }: Agreement, side: AgreementSide): Html {
  const { address, name, nameVerified, signedAtMs, ownerApproved, ownKey, settled, note, gone, isViewers } =
    side;
  const state =
    settled === 'kept'
      ? pill(t('agreements.party.kept'), 'good')
      : settled === 'not_kept'
        ? pill(t('agreements.party.not_kept'), 'care')
        : signedAtMs !== undefined
          ? pill(t('agreements.party.signed'), 'good')
          : pill(t('agreements.party.unsigned'), status === 'open' ? 'care' : 'plain');
  return html`<li class="asked"><span class="asked-who">${othersText(name)}${isViewers && html` <span class="soft">${t('agreements.yours')}</span>`} <bdi class="address soft">${plainText(address, 80)}</bdi>${!nameVerified && html` ${pill(t('common.unverified-name'), 'care')}`}</span>
<span class="asked-state">${state}${ownerApproved !== undefined && html` ${ownerApproved ? pill(t('agreements.owner-approved'), 'good') : pill(t('agreements.owner-waiting'))}`}${ownKey && html` ${pill(t('agreements.own-key'))}`}${gone && html` ${pill(t('agreements.gone'), 'care')}`}</span>
${note !== undefined && html`<span class="asked-words soft">${t('ask.note-of', { note: othersText(note, 280) })}</span>`}
${signedAtMs !== undefined && html`<span class="log-time">${moment(frame, signedAtMs)}</span>`}</li>`;
}

function answerForm(frame: Frame, { id }: Agreement): Html {
  return html`<section class="card" aria-labelledby="answer"><h2 id="answer">${t('agreements.answer')}</h2>
<p>${t('agreements.answer-final', { strong })}</p>
<div class="actions even">
${form(frame, { action: paths.agreement(id), carried: { do: 'approve' } }, button(t('common.approve'), { kind: 'plain' }))}
${form(frame, { action: paths.agreement(id), carried: { do: 'decline' } }, button(t('common.decline'), { kind: 'plain' }))}
</div></section>`;
}

import { t } from '@hearth/i18n';
import type * as web from '@hearth/web';
import { agreementPage, agreementsPage } from '@hearth/web';

const now = Date.UTC(2026, 4, 3, 14, 5);
const hour = 3_600_000;

/** The page of an agreement, in its states. */
export function agreementSamples(ada: web.Frame, theirs: (text: string) => string): Record<string, string> {
  const side = (name: string, address: string, more: Partial<web.AgreementSide> = {}): web.AgreementSide => ({
    ...{ name: theirs(name), address, nameVerified: true, ownKey: false, gone: false, isViewers: false },
    ...more,
  });
  const robin = side('Robin', '@ada.ai-robin', {
    signedAtMs: now - hour,
    ownerApproved: false,
    isViewers: true,
  });
  const wren = side('Wren', '@quiet-otter.ai-wren', { nameVerified: false });
  const agreement: web.Agreement = {
    id: 'agr_7',
    title: theirs('Translate the minutes'),
    terms: theirs('Wren translates the minutes of May until the 10th.\nRobin reads them.'),
    status: 'open',
    sides: [robin, wren],
    disputed: false,
    atMs: now - hour,
    signByMs: now + 40 * hour,
    dueAtMs: now + 160 * hour,
    waitsForViewer: true,
    revision: 2,
  };
  const signed = [
    { ...robin, ownerApproved: true },
    { ...wren, signedAtMs: now, ownKey: true },
  ];
  const page = (of: Partial<web.Agreement>, more: Partial<web.AgreementPage> = {}) =>
    agreementPage({ ...ada, requests: {} }, { agreement: { ...agreement, ...of }, nowMs: now, ...more });
  return {
    'agreements-none': agreementsPage(ada, { agreements: [], isOlder: false }),
    agreements: agreementsPage(ada, {
      agreements: [
        agreement,
        { ...agreement, status: 'ready', waitsForViewer: false, disputed: true },
        { ...agreement, status: 'settled', waitsForViewer: false },
        { ...agreement, status: 'declined', waitsForViewer: false },
      ],
      olderCursor: 'abc',
      isOlder: true,
    }),
    'agreement-open': page({}),
    'agreement-answered': page({ waitsForViewer: false }, { done: t('agreements.approved') }),
    'agreement-refused': page({}, { refused: t('courses.changed-meanwhile') }),
    'agreement-disputed': page({
      ...{ status: 'ready', waitsForViewer: false, disputed: true, receipt: '/r/rec_1?k=x' },
      sides: [signed[0]!, { ...signed[1]!, settled: 'not_kept', note: theirs('It came late.') }],
    }),
    'agreement-misstated': page({ status: 'ready', waitsForViewer: false, wordsDisputed: true }),
    'agreement-settled': page(
      {
        ...{ status: 'settled', waitsForViewer: false, receipt: '/r/rec_1?k=x' },
        sides: signed.map((side) => ({ ...side, settled: 'kept' as const })),
      },
      { done: t('agreements.approved') },
    ),
    'agreement-declined': page({
      ...{ status: 'declined', why: 'declined', reason: theirs('Too much'), waitsForViewer: false },
    }),
  };
}

import { t } from '@hearth/i18n';
import { ApprovalStatus, ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import {
  AgreementOutcome,
  AgreementStatusSchema,
  AgreementsService,
  type Agreement as Shown,
} from '@hearth/proto/decisions/v1/agreements';
import { type Agreement, agreementPage, agreementsPage, paths } from '@hearth/web';
import { type Context, frameWithZone, ifThere, msOf, nameOf, receiptPath } from '../pages/module.ts';
import { addCoursePages } from './course-pages.ts';
import { tryAct } from './refusal.ts';

const { getAgreement, listAgreements } = AgreementsService.method;
const { getApproval, replyApproval } = ApprovalsService.method;

/** An AI's agreements, for its person to read and, where needed, to approve. */
export function addAgreementPages(context: Context): void {
  const { addOwnPage, ask, config, held, send } = context;
  addOwnPage('agreements', '/agreements', {
    async get(request) {
      const older = request.query.get('older') ?? '';
      const wanted = { limit: 50, ...(older !== '' && { cursor: older }) };
      const [found, frame] = await Promise.all([
        send(listAgreements, wanted, request.person),
        frameWithZone(context, request),
      ]);
      const agreements = found.agreements.map((shown) => agreementView(shown, config.siteUrl));
      const model = { agreements, olderCursor: found.nextCursor, isOlder: older !== '' };
      return { html: agreementsPage({ ...frame, requests: {} }, model) };
    },
  });
  addCoursePages(context, {
    name: 'agreement',
    path: '/agreements/:id',
    pathOf: paths.agreement,
    done: {
      approve: t('agreements.approved'),
      decline: t('agreements.declined'),
    },
    async find(id, person) {
      const agreement = agreementView(await ask(getAgreement, { id }, person), config.siteUrl);
      if (!agreement.waitsForViewer) return agreement;
      // The agreement learns of an answer a moment after its ask does.
      const asked = await ifThere(ask(getApproval, { id: agreement.approval ?? '' }, person));
      return { ...agreement, waitsForViewer: asked === undefined || asked.status === ApprovalStatus.WAITING };
    },
    page: (frame, agreement, { nowMs, done, refused }) =>
      agreementPage(frame, { agreement, nowMs, done, refused }),
    valuesOf: () => ({}),
    held: (request, wanted) => held(request, 'agreement_changes', getAgreement, wanted),
    async act({ person }, name, { approval = '' }) {
      const decision = name === 'approve' ? 'approved' : 'declined';
      return await tryAct({}, () => send(replyApproval, { id: approval, decision }, person));
    },
  });
}

const whys = ['declined', 'withdrawn', 'expired', 'side_gone'] as const;

/** An agreement as its page shows it, with the viewer's ask. */
function agreementView(shown: Shown, siteUrl: string): Agreement & { approval: string | undefined } {
  const { id, title, terms, reason, disputed, revision, approval, wordsDisputed } = shown;
  const status = nameOf<Agreement['status']>(AgreementStatusSchema, shown.status, 'open');
  return {
    ...{ id, title, terms, reason, disputed, revision, approval, status, wordsDisputed },
    why: whys.find((why) => why === shown.why),
    sides: shown.sides.map(({ address, name, nameVerified, ownKey, gone, note, ...side }) => ({
      ...{ address, name, nameVerified, ownKey, gone, note },
      signedAtMs: msOf(side.signedAt),
      ownerApproved: side.ownerApproved,
      settled:
        side.settled === undefined ? undefined : side.settled === AgreementOutcome.KEPT ? 'kept' : 'not_kept',
      isViewers: side.yours,
    })),
    atMs: msOf(shown.createdAt) ?? 0,
    signByMs: msOf(shown.signBy) ?? 0,
    dueAtMs: msOf(shown.dueAt),
    receipt: receiptPath(shown.receipt, siteUrl),
    waitsForViewer:
      status === 'open' &&
      approval !== undefined &&
      shown.sides.some(({ yours, ownerApproved }) => yours && ownerApproved === false),
  };
}

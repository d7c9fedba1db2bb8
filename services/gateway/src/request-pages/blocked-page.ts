import { t } from '@hearth/i18n';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { blockedPage, paths } from '@hearth/web';
import { type Context, doneOf, msOf, noticeOn } from '../pages/module.ts';
import { frameOfRequests } from './frame.ts';

const doneWords = { lifted: t('requests.unblocked') };
const shownBlocks = 100;

/** The senders that a person blocked. */
export function addBlockedPage(context: Context): void {
  const { addOwnPage, send } = context;
  const { listBlocks, unblock } = RequestsService.method;
  addOwnPage('blocked', '/requests/blocked', {
    async get(request) {
      const [{ blocks, nextCursor = '' }, frame] = await Promise.all([
        send(listBlocks, { limit: shownBlocks }, request.person),
        frameOfRequests(context, request),
      ]);
      const blocked = blocks.map(({ target, reason, at }) => ({ target, reason, sinceMs: msOf(at) ?? 0 }));
      const done = doneOf(request, doneWords);
      return { html: blockedPage(frame, { blocked, more: nextCursor !== '', done }) };
    },
    async post(request) {
      await send(unblock, { target: request.field('target') }, request.person);
      return noticeOn(paths.blocked, 'lifted');
    },
  });
}

import { ListBlocksRequestSchema, UnblockRequestSchema } from '@hearth/proto/approvals/v1/requests';
import { blockedPage, paths } from '@hearth/web';
import { doneOf, type FormRequest, fieldOf, msOf, signedIn, toldOn } from '../pages/module.ts';
import { type ApprovalContext, frameOfRequests } from './context.ts';

const doneWords = { lifted: 'The block is lifted.' };
const shownBlocks = 100;

/** Whom a person does not hear from. */
export function addBlockedPage(context: ApprovalContext): void {
  const { addPage, peers, reader } = context;

  addPage({
    name: 'blocked',
    path: '/requests/blocked',
    get: signedIn(async ({ request, person }) => {
      const message = reader.readMessage(ListBlocksRequestSchema, { limit: shownBlocks });
      const [{ blocks, nextCursor = '' }, frame] = await Promise.all([
        peers.requests.listBlocks(message, { caller: person }),
        frameOfRequests(context, request),
      ]);
      const blocked = blocks.map(({ target, reason, at }) => ({ target, reason, sinceMs: msOf(at) ?? 0 }));
      return {
        html: blockedPage(frame, { blocked, more: nextCursor !== '', done: doneOf(request, doneWords) }),
      };
    }),
    post: signedIn<FormRequest>(async ({ request, person }) => {
      const message = reader.readMessage(UnblockRequestSchema, { target: fieldOf(request, 'target') });
      await peers.requests.unblock(message, { caller: person });
      return toldOn(paths.blocked, 'lifted');
    }),
  });
}

import { notFound } from '@hearth/errors';
import type { RequestsViewer as ProtoViewer } from '@hearth/proto/messages/v1/request_messages';
import type { Context } from '../context.ts';
import { findRequestMessage, type RequestRow, type RequestsViewer } from '../db/request-messages.ts';
import { toViewer } from '../domain/to-request-message.ts';

/**
 * The waiting message of a request, and its viewer.
 *
 * @throws not_found for a message that does not wait for the viewer
 */
export async function waitingMessage(
  { database }: Context,
  request: { viewer?: ProtoViewer | undefined; message: string },
): Promise<{ viewer: RequestsViewer; row: RequestRow }> {
  const viewer = toViewer(request.viewer);
  const row = viewer === null ? null : await findRequestMessage(database.db, viewer, request.message);
  if (viewer === null || row === null) throw notFound();
  return { viewer, row };
}

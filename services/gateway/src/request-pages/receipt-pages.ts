import { toJson } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { isHearthError, notFound } from '@hearth/errors';
import { GetRecordRequestSchema, VerifyRecordRequestSchema } from '@hearth/proto/federation/v1/records';
import { RateClass } from '@hearth/proto/options';
import { isJsonObject, type JsonObject, parseStrictJson } from '@hearth/signing';
import { type CheckedRecord, type CheckRecord, checkRecordPage, receiptPage } from '@hearth/web';
import {
  type FormRequest,
  frameWithZone,
  type PageAnswer,
  type PageRequest,
  sentence,
} from '../pages/module.ts';
import type { ApprovalContext } from './context.ts';
import { checkedRecord } from './record-view.ts';

const maxRecordBytes = 65_536;

/** The receipts of signed answers, for whoever has their link; and a page that checks any of them. */
export function addReceiptPages(context: ApprovalContext): void {
  const { addPage, peers } = context;

  addPage({
    name: 'receipt',
    path: '/r/:id',
    async get(request) {
      const record = await findRecord(context, request);
      const [checked, frame] = await Promise.all([
        verify(context, request, record),
        frameWithZone(peers, request),
      ]);
      return { html: receiptPage(frame, { record: checked, json: JSON.stringify(record, null, 2) }) };
    },
  });

  addPage({
    name: 'receipt_check',
    path: '/r',
    // Checking changes nothing.
    rate: RateClass.READ,
    get: async (request) => await showCheck(context, request, {}),
    post: async (request) => await check(context, request),
  });
}

async function findRecord({ peers, reader }: ApprovalContext, request: PageRequest): Promise<JsonObject> {
  const key = request.query.get('k');
  const asked = { id: request.params['id'] ?? '', ...(key !== null && { k: key }) };
  try {
    const message = reader.readMessage(GetRecordRequestSchema, asked);
    const struct = await peers.records.getRecord(message, { caller: request.visit.caller });
    return toJson(StructSchema, struct) as JsonObject;
  } catch (error) {
    // A link that was cut short leads to nothing, like one that never was.
    if (isHearthError(error) && error.kind === 'bad_request') throw notFound();
    throw error;
  }
}

async function verify(
  { peers, reader }: ApprovalContext,
  { visit }: PageRequest,
  record: JsonObject,
): Promise<CheckedRecord> {
  const message = reader.readMessage(VerifyRecordRequestSchema, { record });
  return checkedRecord(record, await peers.records.verifyRecord(message, { caller: visit.caller }));
}

async function check(context: ApprovalContext, request: FormRequest): Promise<PageAnswer> {
  const pasted = (request.form.get('record') ?? '').trim();
  const again = (record: string) => showCheck(context, request, { pasted, errors: { record } });
  if (pasted === '') return await again('Paste the JSON of a receipt first.');
  let record: unknown;
  try {
    record = parseStrictJson(pasted, { maxBytes: maxRecordBytes });
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return await again(sentence(error.message));
  }
  if (!isJsonObject(record))
    return await again('This is no receipt: a receipt begins with { and ends with }.');
  return await showCheck(context, request, { pasted, record: await verify(context, request, record) });
}

async function showCheck(
  { peers }: ApprovalContext,
  request: PageRequest,
  model: CheckRecord,
): Promise<PageAnswer> {
  const html = checkRecordPage(await frameWithZone(peers, request), model);
  return { html, status: model.errors === undefined ? 200 : 400 };
}

import { type RecordType, recordTypes } from '@hearth/signing';
import type { Command, CommandContext, Values } from '../command.ts';
import { Failure, UsageError } from '../failure.ts';
import { plainJson } from '../plain.ts';
import { askDigest } from '../record/ask-digest.ts';
import { checkRecord, maxRecordBytes, type Verdict } from '../record/check-record.ts';
import { describeRefused, describeValid } from '../record/describe.ts';
import { findDocument, findOwnDocument } from '../record/find-document.ts';
import type { HomeDocument } from '../record/home-document.ts';

const usual: RecordType = 'svc-record+jws';

export const recordVerify: Command = {
  name: 'record verify',
  summary: 'verify a record that a home signed, such as the answer to an ask',
  usage: '<file|-> [--home <file or URL>] [--type <typ>] [--ask <file>] [--json]',
  help: `<file|->                 the record as JSON, such as the signed_answer of an approval; - reads the standard input

Options:
  --home <file or URL>   the document of the home that signed it: a copy that you keep, or the https address of its
                         /.well-known/service.json. When not given, that of the home at --site
  --type <typ>           what it must be: ${recordTypes.join(', ')}.
                         When not given, ${usual}
  --ask <file>           what was asked: the body of ask_approval, or the approval as the home answered it. The digest
                         of it must be the one in the record. Who is under 18 is named under-18 in it
  --json                 print the verdict for programs; with "record", when it is valid

The keys come from that document alone. With a file nothing is fetched. A record that does not verify ends with the
exit status 1, and so does a document that cannot be had.`,
  arguments: ['file'],
  options: {
    home: { type: 'string' },
    type: { type: 'string' },
    ask: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(context) {
    const { values, args, deps, print } = context;
    const type = typeOf(values);
    const [file] = args as [string];
    const ask = values.ask as string | undefined;
    if ([file, ask, values.home].filter((name) => name === '-').length > 1) {
      throw new UsageError('the standard input, -, can be given once');
    }
    if (ask !== undefined && type !== usual)
      throw new UsageError(`--ask is for the answer to an ask, a ${usual}`);
    const bytes = await deps.readInput(file, maxRecordBytes);
    const digest = ask === undefined ? null : askDigest(await deps.readInput(ask, maxRecordBytes), ask);
    const document = await documentFor(context);
    const verdict = checkRecord(bytes, { document, type, digest, now: deps.clock.now() });
    if (values.json === true) print(plainJson(forPrograms(verdict, type, document)));
    if (verdict.record === null) throw new Failure(describeRefused(verdict));
    if (values.json !== true) print(describeValid(verdict.record, verdict, document));
  },
};

function typeOf({ type = usual }: Values): RecordType {
  const found = recordTypes.find((known) => known === type);
  if (found === undefined)
    throw new UsageError(`--type is "${type}"; expected one of ${recordTypes.join(', ')}`);
  return found;
}

async function documentFor({ values, home, deps }: CommandContext): Promise<HomeDocument> {
  const { home: given } = values;
  return typeof given === 'string' ? await findDocument(given, deps) : await findOwnDocument(home.site, deps);
}

function forPrograms(verdict: Verdict, type: RecordType, document: HomeDocument) {
  const { source, home, issued_at, valid_until } = document;
  const { record, ...rest } = verdict;
  return { ...rest, typ: type, document: { source, home, issued_at, valid_until }, record };
}

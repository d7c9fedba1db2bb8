import { ScalarType } from '@bufbuild/protobuf';
import { read } from './registry.mjs';

/** The kinds (hearth.FieldKind) of fields with these names. */
const kindsOfRequests = {
  cursor: 'CURSOR',
  limit: 'PAGE_LIMIT',
  request_id: 'REQUEST_ID',
  time_zone: 'TIME_ZONE',
  url: 'URL',
};
const kindsOfAnswers = { next_cursor: 'NEXT_CURSOR' };

const timestamp = 'google.protobuf.Timestamp';

/** Sentences about missing parts of operations' declarations, one per field. */
export function declarationFaults(descriptors) {
  const { services, option, registry } = read(descriptors);
  const kinds = registry.getEnum('hearth.FieldKind').values;
  const numberOf = (kind) => kinds.find(({ name }) => name === `FIELD_KIND_${kind}`).number;
  const operations = services.flatMap(({ methods }) =>
    methods.filter((method) => option(method, 'hearth.operation') !== undefined),
  );
  const rulesOf = (field) => option(field, 'hearth.rules');
  const nameOf = (field) => `${field.parent.typeName}.${field.name}`;

  function lacksKind(field, wanted) {
    const kind = wanted[field.name];
    if (kind === undefined || field.scalar === undefined || rulesOf(field)?.kind === numberOf(kind))
      return [];
    return [`${nameOf(field)} needs (hearth.rules).kind = FIELD_KIND_${kind}`];
  }

  /** An id in a request has a kind, or rules of its own that bound it. */
  function lacksId(field) {
    if (
      field.name in kindsOfRequests ||
      !/^(?:id|\w+_id)$/.test(field.name) ||
      field.scalar !== ScalarType.STRING
    )
      return [];
    const { kind = 0, id = [], maxLength = 0, pattern = '' } = rulesOf(field) ?? {};
    if (kind !== 0 || id.length > 0 || maxLength > 0 || pattern !== '') return [];
    return [
      `${nameOf(field)} needs a (hearth.rules).kind of ids, such as FIELD_KIND_REFERENCE, or its prefix as (hearth.rules).id`,
    ];
  }

  /** Times have a kind; as text only in requests that also take local times, and bounded there. */
  function lacksTime(field, isRequest) {
    if (!/_at$/.test(field.name) || field.message?.typeName === timestamp) return [];
    if (isRequest && field.scalar === ScalarType.STRING && (rulesOf(field)?.maxLength ?? 0) > 0) return [];
    return [`${nameOf(field)} needs the type ${timestamp}`];
  }

  /** A list needs a cursor that continues from the previous page. */
  function lacksPage({ input, output, name }) {
    const has = (message, field) => message.fields.some((member) => member.name === field);
    const faults = [];
    if (has(output, 'next_cursor'))
      for (const field of ['cursor', 'limit'])
        if (!has(input, field))
          faults.push(`${input.typeName} needs the field ${field}: ${name} answers next_cursor`);
    if (has(input, 'cursor') && !has(output, 'next_cursor') && !has(output, 'cursor'))
      faults.push(`${output.typeName} needs the field next_cursor: ${name} takes cursor`);
    return faults;
  }

  const inputs = reached(operations.map(({ input }) => input)).flatMap(({ fields }) => fields);
  const outputs = reached(operations.map(({ output }) => output)).flatMap(({ fields }) => fields);
  return [
    ...inputs.flatMap((field) => [
      ...lacksKind(field, kindsOfRequests),
      ...lacksId(field),
      ...lacksTime(field, true),
    ]),
    ...outputs.flatMap((field) => [...lacksKind(field, kindsOfAnswers), ...lacksTime(field, false)]),
    ...operations.flatMap(lacksPage),
  ];
}

/** These messages and all messages within them. */
function reached(messages, found = new Set()) {
  for (const message of messages) {
    if (found.has(message) || !message.typeName.startsWith('hearth.')) continue;
    found.add(message);
    reached(
      message.fields.flatMap((field) => field.message ?? []),
      found,
    );
  }
  return [...found];
}

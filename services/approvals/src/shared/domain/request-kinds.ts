import { enumNames } from '@hearth/enum-names';
import { RequestKind, RequestKindSchema } from '@hearth/proto/approvals/v1/approvals';

/** The kinds of requests to strangers, as tables and rules name them. */
export const requestKinds = ['personal', 'introduction', 'recruiting', 'sales', 'offer', 'other'] as const;

export type RequestKindName = (typeof requestKinds)[number];

const declared = enumNames(RequestKindSchema);

/** The kind's name; `other` if none is given. */
export function kindNameOf(kind: RequestKind | undefined): RequestKindName {
  return kindOf(declared.nameOf(kind ?? RequestKind.OTHER)) ?? 'other';
}

export function kindValueOf(name: string): RequestKind {
  return declared.valueOf(name) || RequestKind.OTHER;
}

/** The kind with that name; null if unknown. */
export function kindOf(name: string): RequestKindName | null {
  return requestKinds.find((kind) => kind === name) ?? null;
}

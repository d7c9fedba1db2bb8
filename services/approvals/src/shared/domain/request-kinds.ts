import { RequestKind } from '@hearth/proto/approvals/v1/approvals';

/** What a request to a stranger is about, as tables and rules name it. */
export const requestKinds = ['personal', 'introduction', 'recruiting', 'sales', 'offer', 'other'] as const;

export type RequestKindWord = (typeof requestKinds)[number];

const numbers: Record<RequestKindWord, RequestKind> = {
  personal: RequestKind.PERSONAL,
  introduction: RequestKind.INTRODUCTION,
  recruiting: RequestKind.RECRUITING,
  sales: RequestKind.SALES,
  offer: RequestKind.OFFER,
  other: RequestKind.OTHER,
};

/** `other` for what was not said. */
export function kindWord(kind: RequestKind | undefined): RequestKindWord {
  return requestKinds.find((word) => numbers[word] === kind) ?? 'other';
}

export function kindNumber(word: string): RequestKind {
  return numbers[word as RequestKindWord] ?? RequestKind.OTHER;
}

/** The kind of that word; null for none. */
export function kindOf(word: string): RequestKindWord | null {
  return requestKinds.find((kind) => kind === word) ?? null;
}

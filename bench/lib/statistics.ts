/** The value below which that share (0 to 1) of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) return Number.NaN;
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1 + (share === 0 ? 1 : 0))]!;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

// The keys that go through the episodes.

/** The place to which a key leads, from one of so many places in a row, as in a slider. Undefined for any other key. */
export function ledTo({ key }: KeyboardEvent, from: number, places: number): number | undefined {
  const ten = Math.max(1, Math.round(places / 10));
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowUp: 1,
    ArrowLeft: -1,
    ArrowDown: -1,
    PageUp: ten,
    PageDown: -ten,
    Home: -places,
    End: places,
  };
  const by = steps[key];
  return by && Math.min(places - 1, Math.max(0, from + by));
}

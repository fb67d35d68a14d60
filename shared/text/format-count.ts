/** "1 clinic", "1,200 clinics" */
export const formatCount = (n: number, singular: string, plural = `${singular}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? singular : plural}`;

/**
 * The union of ranges in SQL, over `points` in order: twice a position, and 1 more where a range
 * ends. So one that begins where another ends comes before that end, and they are one.
 */
export const unionOfPoints = [
  'arrayMap(point -> 1 - 2 * toInt64(point % 2), points) AS signs',
  'arrayCumSum(signs) AS open',
  'arrayMap(point -> intDiv(point, 2), points) AS positions',
  'arrayFilter((at, by, count) -> by = 1 AND count = 1, positions, signs, open) AS begins',
  'arrayFilter((at, count) -> count = 0, positions, open) AS ends',
];

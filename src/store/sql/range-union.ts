/**
 * The union of ranges in SQL, over `points` in order: twice a position, plus 1 if a range ends
 * there. So if a range begins where another ends, its begin comes before that end, and the two are
 * joined.
 */
export const unionOfPoints = [
  'arrayMap(point -> 1 - 2 * toInt64(point % 2), points) AS signs',
  'arrayCumSum(signs) AS open',
  'arrayMap(point -> intDiv(point, 2), points) AS positions',
  'arrayFilter((at, by, count) -> by = 1 AND count = 1, positions, signs, open) AS begins',
  'arrayFilter((at, count) -> count = 0, positions, open) AS ends',
];

// The heights of the rows of a windowed list: one height for all rows that were not measured, and the position of each
// row as a sum. The sums are made again only from the first row that changed.

export class RowHeights {
  constructor(row) {
    this.reset(row);
  }

  /** Forgets all measured heights; `row` is the height of a row that was not measured. */
  reset(row = this.row) {
    this.row = row;
    this.measured = new Map(); // by position
    this.tops = [0]; // tops[i] is the position of row i, and the last one is the total
  }

  /** Extends the sums to these items, or shortens them. */
  cover(items) {
    if (this.tops.length > items.length + 1) this.tops.length = items.length + 1;
    for (let at = this.tops.length - 1; at < items.length; at++) this.tops.push(this.tops[at] + this.height(at));
  }

  height(at) {
    return this.measured.get(at) ?? this.row;
  }

  set(at, height) {
    this.measured.set(at, height);
    for (let next = at; next < this.tops.length - 1; next++) {
      this.tops[next + 1] = this.tops[next] + this.height(next);
    }
  }

  top(at) {
    return this.tops[Math.min(at, this.tops.length - 1)];
  }

  total() {
    return this.tops.at(-1);
  }

  /** The row at this position. */
  at(position) {
    let low = 0;
    let high = this.tops.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

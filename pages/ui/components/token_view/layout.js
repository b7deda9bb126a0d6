// Where the rows of tokens stand: one alone, or blocks with columns of rows to compare.
import { readRow } from "./row_data.js";
import { RowView } from "./row_view.js";

// A title is the user's own sentence: it reads in the direction of its script.
function titleOf(text) {
  const title = boxOf("block-title", text);
  title.dir = "auto";
  return title;
}

function boxOf(className, ...children) {
  const element = document.createElement("div");
  element.className = className;
  element.append(...children);
  return element;
}

function labelled(element, role, label) {
  element.setAttribute("role", role);
  element.setAttribute("aria-label", label);
  return element;
}

function drawRow(rowView) {
  const { name, note } = rowView.row;
  if (!name && !note) return rowView.element;
  const head = boxOf("row-head", boxOf("row-name", name), boxOf("row-note", note));
  return labelled(boxOf("row", head, rowView.element), "group", [name, note].join(", "));
}

function drawColumn(column, rowViews) {
  const rows = rowViews.map(drawRow);
  if (!column.name) return boxOf("column", ...rows);
  return labelled(boxOf("column", boxOf("column-name", column.name), ...rows), "group", column.name);
}

/**
 * Lays the blocks of the data out in a region.
 * Gives the views of all rows, in order; their tokens are drawn by `RowView.show`.
 */
export function layOut(region, data) {
  const faceSets = data.faces.map((faces) => new Map(faces.map((face) => [face.id, face])));
  const all = [];
  const blocks = data.blocks.map((block) => {
    const columns = block.columns.map((column) => {
      const views = column.rows.map((row, index) => {
        return new RowView(readRow(row, faceSets[column.faces]), all.length + index);
      });
      all.push(...views);
      return drawColumn(column, views);
    });
    if (!block.title) return boxOf("block", ...columns);
    const grid = boxOf(block.stacked ? "lanes" : "columns", ...columns);
    return labelled(boxOf("block", titleOf(block.title), grid), "group", block.title);
  });
  region.replaceChildren(...blocks);
  return all;
}

"""Formulas of results, such as ``distance / energy``. A formula is evaluated without access to anything else."""

from __future__ import annotations

import ast
import math
from typing import Any, Callable, Dict, Mapping, Set

__all__ = ["Formula"]

FUNCTIONS: Dict[str, Callable[..., float]] = {
    "abs": abs,
    "atan2": math.atan2,
    "cos": math.cos,
    "exp": math.exp,
    "hypot": math.hypot,
    "ln": math.log,
    "log10": math.log10,
    "max": max,
    "min": min,
    "sin": math.sin,
    "sqrt": math.sqrt,
    "tan": math.tan,
    "tanh": math.tanh,
}
CONSTANTS = {"pi": math.pi, "nan": math.nan}
OPERATORS: Dict[type, Callable[..., float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: math.pow(a, b),
    ast.USub: lambda a: -a,
    ast.UAdd: lambda a: +a,
}


class Formula:
    """A formula of named numbers. If the text is invalid, raises ValueError with one sentence."""

    def __init__(self, text: str) -> None:
        if len(text) > 1000:
            raise ValueError("must have at most 1000 characters")
        try:
            self._tree = ast.parse(text.replace("^", "**").strip(), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise ValueError("must be a valid formula, such as mass * g / 2") from None
        self.names: Set[str] = set()
        self._check(self._tree, 0)

    def _check(self, node: Any, depth: int) -> None:
        if depth > 100:
            raise ValueError("must have at most 100 nested levels")
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            return
        if isinstance(node, ast.Name):
            if node.id not in CONSTANTS:
                self.names.add(node.id)
            return
        if isinstance(node, (ast.BinOp, ast.UnaryOp)) and type(node.op) in OPERATORS:
            parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            if node.func.id not in FUNCTIONS:
                raise ValueError(f"contains the unknown function {node.func.id}")
            parts = node.args
        else:
            raise ValueError("must contain only numbers, names, + - * / ^ and functions")
        for part in parts:
            self._check(part, depth + 1)

    def __call__(self, names: Mapping[str, Any]) -> float:
        """Value of the formula, or NaN if it has none."""
        try:
            value = self._value(self._tree, names)
        except (ArithmeticError, ValueError, TypeError):
            return math.nan
        return float(value) if isinstance(value, (int, float)) else math.nan

    def _value(self, node: Any, names: Mapping[str, Any]) -> Any:
        if isinstance(node, ast.Constant):
            return float(node.value)
        if isinstance(node, ast.Name):
            value = CONSTANTS.get(node.id, names.get(node.id))
            return value if isinstance(value, (int, float)) else math.nan  # a text times a number would be a long text
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](self._value(node.left, names), self._value(node.right, names))
        if isinstance(node, ast.UnaryOp):
            return OPERATORS[type(node.op)](self._value(node.operand, names))
        return FUNCTIONS[node.func.id](*(self._value(part, names) for part in node.args))

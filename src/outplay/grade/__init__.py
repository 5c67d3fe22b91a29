"""`outplay grade FILE:function`: a student's search beside the textbook's.

position   states that note who looked at them       student    how a student's function is called
cases      the trees and games it is run on          mistakes   the textbook with one mistake each
report     the comparison, and what to say of it     process    the student's code in a process of its own
worker     what runs in that process
"""

from outplay.grade.report import Report, grade
from outplay.grade.student import KINDS, load_function, named

__all__ = ["KINDS", "Report", "grade", "load_function", "named"]
